import type { JsonObject } from "@hasp/schema";
import type { Dispatcher } from "../../dispatch/state/dispatcher-types.js";
import { deepFreeze } from "../../json/deep-freeze.js";
import { isObject } from "../../json/is-object.js";

const lists = new WeakMap<readonly JsonObject[], readonly JsonObject[]>();

/** The entries of `tools/list`, ready to be sent: the same frozen list until the dispatcher's tools change. */
export function mcpToolList(dispatcher: Pick<Dispatcher, "definitions">, dialect: string): readonly JsonObject[] {
  const definitions = dispatcher.definitions(dialect);
  let list = lists.get(definitions);
  if (list === undefined) lists.set(definitions, (list = deepFreeze(definitions.map(toListed))));
  return list;
}

/**
 * What clients of the official package insist on: an input schema that says `type: object` (every input is one) and,
 * where there is an output schema, that it does too. A client that meets anything else drops the whole list.
 */
function toListed(definition: JsonObject): JsonObject {
  const { inputSchema, outputSchema, ...rest } = definition;
  const input = isObject(inputSchema) ? inputSchema : {};
  return {
    ...rest,
    inputSchema: input["type"] === "object" ? input : { ...input, type: "object" },
    ...(isObject(outputSchema) && outputSchema["type"] === "object" && { outputSchema }),
  };
}
