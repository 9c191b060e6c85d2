import type { JsonSchema } from "../vocabulary/json-schema.js";
import { createJudge } from "../validate/index.js";

const judges = new WeakMap<object, (value: unknown) => boolean>();

/** Whether a branch's schema holds for a value. Judges are made once for each schema object. */
export function matches(schema: JsonSchema, value: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  let judge = judges.get(schema);
  if (judge === undefined) {
    judge = createJudge(schema);
    judges.set(schema, judge);
  }
  return judge(value);
}
