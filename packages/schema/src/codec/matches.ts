import type { JsonSchema } from "../json-schema.js";
import { createJudge } from "../validate/index.js";

const validators = new WeakMap<object, (value: unknown) => { readonly valid: boolean }>();

/** Whether a branch's schema holds for a value. Validators are made once for each schema object. */
export function matches(schema: JsonSchema, value: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = createJudge(schema);
    validators.set(schema, validator);
  }
  return validator(value).valid;
}
