import type { JsonSchema } from "../vocabulary/json-schema.js";
import { createMatcher } from "../validate/index.js";

/** Tests whether the schema of a union's branch accepts a value. */
export type BranchMatcher = (schema: JsonSchema, value: unknown) => boolean;

/** Creates a {@link BranchMatcher} that compiles each schema object once. */
export function createBranchMatcher(): BranchMatcher {
  const matchers = new Map<object, (value: unknown) => boolean>();
  return (schema, value) => {
    if (typeof schema === "boolean") return schema;
    let matcher = matchers.get(schema);
    if (matcher === undefined) {
      matcher = createMatcher(schema);
      matchers.set(schema, matcher);
    }
    return matcher(value);
  };
}
