import type { JsonObject, JsonValue } from "@hasp/schema";
import { mapMembers, isList, isObject, own, readOwnMember, toRecord } from "@hasp/base/json";
import type { FlatTool } from "../model/tool.js";
import { createRecordedCall, type HandlerCall } from "./expected-call.js";
import { parsePlaceholder, parseSource, type ValueSource } from "./references.js";

/** Reads what a declaration takes from a call, apart from the code that prints the same: each proves the other. */
interface ValueReader {
  valueOf(value: JsonValue, call: HandlerCall): unknown;
  placeholder(name: string, call: HandlerCall): unknown;
}

export function createValueReader({ spec: { bind = {} } }: Pick<FlatTool, "spec">): ValueReader {
  const valueFrom = (
    { source, path: [first = "", ...others] }: ValueSource,
    { input, context }: HandlerCall,
  ): unknown => {
    const [, ...bound] = (own(bind, first) ?? "").split(".");
    const members = source === "bound" ? [...bound, ...others] : [first, ...others];
    return members.reduce<unknown>(readOwnMember, source === "input" ? input : context);
  };
  const valueOf = (value: JsonValue, call: HandlerCall): unknown => {
    if (typeof value === "string") {
      const source = parseSource(value, bind);
      return source === undefined ? value : valueFrom(source, call);
    }
    if (isList(value)) return value.map((item) => valueOf(item, call));
    if (!isObject(value)) return value;
    if (Object.hasOwn(value, "literal") && Object.keys(value).length === 1) return value["literal"];
    return mapMembers(value, (inner) => valueOf(inner ?? null, call));
  };
  return { valueOf, placeholder: (name, call) => valueFrom(parsePlaceholder(name, bind), call) };
}

export type Take = (call: HandlerCall) => unknown;

/** Expects a function of input and context. */
export function fromCall(take: Take): (input: JsonValue, context: JsonValue) => unknown {
  return (input, context) => take({ input, context });
}

/** Expects the function that adds the bound values to the input; nothing if there are none. */
export function expectWholeInput(tool: Pick<FlatTool, "spec">): ReturnType<typeof fromCall> | undefined {
  const bound = Object.keys(tool.spec.bind ?? {});
  const { placeholder } = createValueReader(tool);
  return bound.length === 0
    ? undefined
    : fromCall((call) => ({
        ...(call.input as object),
        ...toRecord(bound, (name) => placeholder(name, call)),
      }));
}

/** Expects the client that a connection takes from the context; nothing if it takes none. */
export function expectClient({ context }: JsonObject): ((given: JsonValue) => unknown) | undefined {
  return typeof context === "string" ? (given) => readOwnMember(given, context) : undefined;
}

/** Expects what authorizes the calls of a connection. `entry` is the entry point of OAuth. */
export function expectAuth({ auth, allowPrivateAddresses }: JsonObject, connection: string, entry: string): unknown {
  const expectMethod = (method: JsonValue | undefined): unknown => {
    const oauth2 = readOwnMember(method, "oauth2");
    if (!isObject(oauth2)) return method;
    // Only a person's sign-in is worth keeping.
    const isOfAPerson = oauth2["flow"] !== "clientCredentials";
    const reach = allowPrivateAddresses === true ? { allowPrivateAddresses: true } : {};
    const store = isOfAPerson ? { store: createRecordedCall("tokenStore", entry, []) } : {};
    const entries = { name: connection, ...oauth2, ...reach, ...store };
    return { oauth2: createRecordedCall("oauthTokens", entry, [entries]) };
  };
  return isList(auth) ? auth.map(expectMethod) : expectMethod(auth);
}
