import { createValidator, type JsonValue, type ValidationError } from "@hasp/schema";
import { findDefaultFaults } from "@hasp/schema/internal/runtime";
import { once } from "@hasp/base/json";
import { type SchemaNode, withDefinitions } from "./schemas.js";
import type { FlatSchema } from "./tool.js";

interface Refused {
  readonly location: ReturnType<FlatSchema["locate"]>;
  readonly what: string;
  readonly problem: string;
}

/** Creates a check for values of `default` and `examples` that their own schema refuses. Calls fill defaults of inputs. */
export function createAnnotationCheck(
  flat: FlatSchema,
  part: "input" | "output",
): (node: SchemaNode) => readonly Refused[] {
  const findFaults = once(() => {
    const faults = findDefaultFaults(flat.schema, { fills: part === "input" });
    return new Map(faults.map(({ pointer, error }) => [pointer, error === undefined ? ENDLESS : printProblem(error)]));
  });
  return ({ schema, pointer }) => {
    const { default: preset, examples } = schema;
    const refused: Refused[] = [];
    const problem = preset === undefined ? undefined : findFaults().get(pointer);
    if (problem !== undefined) {
      refused.push({ location: flat.locate(`${pointer}/default`), what: "The default", problem });
    }
    if (!Array.isArray(examples) || examples.length === 0) return refused;
    const validate = createValidator(withDefinitions(schema, flat.schema));
    for (const [index, example] of (examples as readonly JsonValue[]).entries()) {
      const [error] = validate(example).errors;
      if (error === undefined) continue;
      const location = flat.locate(`${pointer}/examples/${index}`);
      refused.push({ location, what: "This example", problem: printProblem(error) });
    }
    return refused;
  };
}

const ENDLESS =
  "it fills itself without end, since what it leaves out gets this default again. Give it a value there, or remove it.";

function printProblem({ message }: ValidationError): string {
  return message.replace("; you sent ", "; it is ");
}
