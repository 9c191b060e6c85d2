import { closeSchema, findOpenLocations, linearPattern, walkSchema } from "@hasp/schema/vocabulary";
import type { JsonSchema } from "@hasp/schema";
import { findDeadProperty } from "./dead-property.js";
import { frozenSchema } from "../json/frozen-schema.js";

/**
 * The input schema of a definition, closed where nothing closes or opens it. A schema that hasp compiled is closed
 * already and stays the same object. Throws where closing by itself could change the meaning, for a declared property
 * that nothing can contain, and for a location that accepts anything without plainly saying so.
 */
export function closeInput(definition: { readonly name: string; readonly input: JsonSchema }): JsonSchema {
  const { name, input } = definition;
  if (typeof input !== "object" || (input.type !== undefined && ![input.type].flat().includes("object"))) {
    throw new TypeError(
      `Tool "${name}": \`input\` must describe an object, because models send objects. Write \`type: "object"\` and \`properties\`.`,
    );
  }
  const { schema, diagnostics } = closeSchema(input);
  const fault = diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (fault !== undefined) {
    throw new TypeError(`Tool "${name}", input${fault.origin.pointer}: ${fault.message}`);
  }
  refuseSlowPatterns(name, input);
  const dead = findDeadProperty(input);
  if (dead !== undefined) {
    throw new TypeError(
      `Tool "${name}", input${dead.declaredAt}: no input can hold \`${dead.name}\`, which input${dead.forbiddenAt} forbids; ` +
        "declare it there as well, or close the whole instead of its part.",
    );
  }
  const disguised = findOpenLocations(schema).find(({ isPlain }) => !isPlain);
  if (disguised !== undefined) {
    throw new TypeError(
      `Tool "${name}", input${disguised.pointer}: this accepts any value, but the schema does not say so explicitly. ` +
        "Say what is accepted (`type`, `properties`, `items`), or write `true` there to accept anything.",
    );
  }
  return frozenSchema(schema);
}

/** Throws for a pattern that may keep the process busy for longer than the text is long. */
function refuseSlowPatterns(name: string, input: JsonSchema): void {
  walkSchema(input, ({ schema, pointer }) => {
    if (typeof schema !== "object") return;
    for (const pattern of [schema.pattern, ...Object.keys(schema.patternProperties ?? {})]) {
      if (typeof pattern !== "string" || linearPattern(pattern) !== undefined) continue;
      throw new TypeError(
        `Tool "${name}", input${pointer}: the pattern ${JSON.stringify(pattern)} cannot be matched in linear time. ` +
          "Leave out back references and large nested counts.",
      );
    }
  });
}
