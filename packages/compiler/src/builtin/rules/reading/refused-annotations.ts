import { createValidator, type JsonValue } from "@hasp/schema";
import { withDefinitions } from "../../../model/schemas/schema-parts.js";
import type { SchemaNode } from "../../../model/schema-nodes.js";
import type { FlatSchema } from "../../../model/tool.js";

interface Refused {
  readonly location: ReturnType<FlatSchema["locate"]>;
  readonly what: string;
  readonly problem: string;
}

/** Creates the check for `default` and `examples` that the schema around them refuses. */
export function createAnnotationCheck(flat: FlatSchema): (node: SchemaNode) => readonly Refused[] {
  return ({ schema, pointer }) => {
    const { default: preset, examples } = schema;
    if (preset === undefined && examples === undefined) return [];
    const refused: Refused[] = [];
    const validate = createValidator(withDefinitions(schema, flat.schema));
    const checkValue = (value: JsonValue, what: string, at: string): void => {
      const [error] = validate(value).errors;
      if (error !== undefined) {
        refused.push({ location: flat.locate(at), what, problem: error.message.replace("; you sent ", "; it is ") });
      }
    };
    if (preset !== undefined) checkValue(preset, "The default", `${pointer}/default`);
    for (const [index, example] of (Array.isArray(examples) ? examples : []).entries()) {
      checkValue(example, "This example", `${pointer}/examples/${index}`);
    }
    return refused;
  };
}
