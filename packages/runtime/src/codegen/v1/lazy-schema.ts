import type { JsonSchema } from "@hasp/schema";
import { once } from "@hasp/base/json";

export { withDefinitions } from "@hasp/base/json";

export type Lazy<Value> = () => Value;

/** Creates a schema on the first call. hasp has checked the literal; a compiler sees its result as `Schema`. */
export function lazySchema<Schema extends JsonSchema>(create: () => unknown): Lazy<Schema> {
  return once(create) as Lazy<Schema>;
}
