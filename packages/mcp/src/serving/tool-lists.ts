import type { JsonObject, JsonValue } from "@hasp/schema";
import { deepFreeze, isObject, toObject } from "@hasp/base/json";
import { INVALID_PARAMS, RequestError } from "./call-messages.js";

interface ListClient {
  /** True if the client takes output that is not an object, and its schema. Clients of 2025-11-25 refuse both. */
  readonly takesAnyOutput: boolean;
}

interface ToolLists {
  /** Returns a page, by the `cursor` of the parameters. Throws a {@link RequestError} for an unknown cursor. */
  page(params: JsonObject, client: ListClient): ListPage;
}

interface ListPage {
  readonly tools: readonly JsonObject[];
  readonly nextCursor?: string;
}

/**
 * Creates the lists of a server, frozen until the definitions change. A cursor is the name of a page's last tool, so
 * that it stays valid when other tools come and go. Throws a `RangeError` for an empty page size.
 */
export function createToolLists(
  { definitions, isOffered }: { definitions(): readonly JsonObject[]; isOffered(entry: JsonObject): boolean },
  pageSize: number = Infinity,
): ToolLists {
  if (!(pageSize >= 1)) throw new RangeError("registerMcpTools: `pageSize` must be at least 1.");
  const made = new Map<boolean, { readonly from: readonly JsonObject[]; readonly list: readonly JsonObject[] }>();

  function listFor(client: ListClient): readonly JsonObject[] {
    const from = definitions();
    const known = made.get(client.takesAnyOutput);
    if (known?.from === from) return known.list;
    const list = deepFreeze(from.filter(isOffered).map((entry) => toListed(entry, client)));
    made.set(client.takesAnyOutput, { from, list });
    return list;
  }

  return {
    page({ cursor }, client) {
      const list = listFor(client);
      const start = cursor === undefined ? 0 : list.findIndex(({ name }) => name === cursor) + 1;
      if (start === 0 && cursor !== undefined) {
        throw new RequestError(
          INVALID_PARAMS,
          "The cursor is not from this list, or the list has changed. List the tools again without a cursor.",
        );
      }
      if (start === 0 && list.length <= pageSize) return { tools: list };
      const tools = list.slice(start, start + pageSize);
      const last: JsonValue | undefined = tools.at(-1)?.["name"];
      const isEnd = start + pageSize >= list.length;
      return { tools, ...(!isEnd && typeof last === "string" && { nextCursor: last }) };
    },
  };
}

/**
 * Creates an entry that the official clients accept: one whose input, and for older clients output, is not of `type:
 * object` makes them drop the whole list.
 */
export function toListed(definition: JsonObject, { takesAnyOutput }: ListClient): JsonObject {
  const { inputSchema, outputSchema, ...rest } = definition;
  const input = toObject(inputSchema);
  const isListed = isObject(outputSchema) && (takesAnyOutput || outputSchema["type"] === "object");
  return {
    ...rest,
    inputSchema: input["type"] === "object" ? input : { ...input, type: "object" },
    ...(isListed && { outputSchema }),
  };
}
