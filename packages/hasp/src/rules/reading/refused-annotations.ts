import type { JsonValue } from "@hasp/schema";
import { boundedValidators } from "../../cel/index.js";
import { withDefinitions } from "../../model/schema-parts.js";
import type { FlatSchema } from "../../model/tool.js";

/** A default or an example that the schema around it refuses. */
export interface Refused {
  readonly location: ReturnType<FlatSchema["locate"]>;
  readonly what: string;
  readonly problem: string;
}

/** `default` and `examples` beside the schemas that refuse them. */
export function refusedAnnotations(flat: FlatSchema): readonly Refused[] {
  const refused: Refused[] = [];
  let validatorOf: ReturnType<typeof boundedValidators> | undefined;
  for (const { schema, pointer } of flat.nodes) {
    const { default: preset, examples } = schema;
    if (preset === undefined && examples === undefined) continue;
    validatorOf ??= boundedValidators(flat.schema);
    const validate = validatorOf(withDefinitions(schema, flat.schema));
    const checkValue = (value: JsonValue, what: string, at: string): void => {
      const [error] = validate(value).errors;
      if (error !== undefined) {
        refused.push({ location: flat.locate(at), what, problem: error.message.replace("; you sent ", "; it is ") });
      }
    };
    if (preset !== undefined) checkValue(preset, "The default", `${pointer}/default`);
    if (!Array.isArray(examples)) continue;
    for (const [index, example] of examples.entries()) {
      checkValue(example, "This example", `${pointer}/examples/${index}`);
    }
  }
  return refused;
}
