import { createValidator, type JsonObject, type JsonValue } from "@hasp/schema";
import { findConnection } from "../emitters/base/names.js";
import type { BuildToEmit, EmitPlan } from "../emitters/base/emitter.js";
import { parsePlaceholder, parseSource, splitTemplate, type ValueSource, findReferences } from "@hasp/compiler/plugin";
import { isListed, parseNamedStatement } from "@hasp/compiler/handlers";
import { sampleValues } from "@hasp/schema/internal/generate";
import {
  type BuiltInKindName,
  connectionNameOf,
  declarationOf,
  findPluginKind,
  type KindedDeclaration,
} from "@hasp/compiler/model";
import { isList, isObject, own, readOwnMember } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import { type HandlerCall, markArgument, type RecordedCall, createRecordedCall } from "./question.js";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";

export function expectConnection(connection: string, plan: Pick<EmitPlan, "connections">): RecordedCall | undefined {
  const found = findConnection(connection, plan);
  if (found === undefined) return undefined;
  const { kind, settings } = found;
  const { auth, context, allowPrivateAddresses, ...plain } = settings;
  const methodOf = (method: JsonValue | undefined): unknown =>
    expectedAuth(method, connection, allowPrivateAddresses === true);
  // The client of an MCP server is not the runtime's own.
  const needsFetch = kind === "mcp" && plain["url"] !== undefined && allowPrivateAddresses !== true;
  return createRecordedCall(`${kind}Connection`, packageOf(kind), [
    {
      name: connection,
      ...plain,
      ...(kind === "mcp" ? {} : { allowPrivateAddresses }),
      ...(needsFetch ? { fetch: createRecordedCall("publicFetch", CODEGEN_ENTRIES.http, []) } : {}),
      auth: isList(auth) ? auth.map(methodOf) : methodOf(auth),
      client: typeof context === "string" ? (given: JsonValue) => readOwnMember(given, context) : undefined,
    },
  ]);
}

function packageOf(kind: BuiltInKindName): string {
  return CODEGEN_ENTRIES[kind];
}

function expectedAuth(method: JsonValue | undefined, connection: string, reachesPrivate: boolean): unknown {
  const oauth2 = readOwnMember(method, "oauth2");
  if (!isObject(oauth2)) return method;
  // Only a person's sign-in is worth keeping.
  const isOfAPerson = oauth2["flow"] !== "clientCredentials";
  const reach = reachesPrivate ? { allowPrivateAddresses: true } : {};
  const store = isOfAPerson ? { store: createRecordedCall("tokenStore", CODEGEN_ENTRIES.oauth, []) } : {};
  return {
    oauth2: createRecordedCall("oauthTokens", CODEGEN_ENTRIES.oauth, [
      { name: connection, ...oauth2, ...reach, ...store },
    ]),
  };
}

/** Returns the call that creates a declared handler; `undefined` for user code. */
export function expectHandler(
  tool: FlatTool,
  plan: Pick<EmitPlan, "connections" | "plugins">,
): RecordedCall | undefined {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return undefined;
  const connection = connectionNameOf(declared);
  const settings = expectSettings(declared, tool);
  if (declared.kind === "plugin") {
    const { module = "", export: exported = "" } = findPluginKind(tool.spec, plan) ?? {};
    const run = (...given: readonly unknown[]): RecordedCall => createRecordedCall(exported, module, given);
    return createRecordedCall("kindHandler", CODEGEN_ENTRIES.runtime, [run, settings]);
  }
  const parameters = connection === undefined ? [settings] : [expectConnection(connection, plan), settings];
  return createRecordedCall(`${declared.kind}Handler`, packageOf(declared.kind), parameters);
}

type Take = (call: HandlerCall) => unknown;
const fromCall = (take: Take) => (input: JsonValue, context: JsonValue) => take({ input, context });

/** Returns what generated code passes to the function that makes a handler, besides its connection. */
export function expectSettings(declared: KindedDeclaration, tool: FlatTool): { readonly [key: string]: unknown } {
  const { spec, metadata, worstCase, rules } = tool;
  const bind = spec.bind ?? {};
  const valueOf = (value: JsonValue, call: HandlerCall): unknown => {
    if (typeof value === "string") {
      const source = parseSource(value, bind);
      return source === undefined ? value : valueFrom(source, call);
    }
    if (isList(value)) return value.map((item) => valueOf(item, call));
    if (!isObject(value)) return value;
    if (Object.hasOwn(value, "literal") && Object.keys(value).length === 1) return value["literal"];
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, valueOf(inner ?? null, call)]));
  };
  const placeholder = (name: string, call: HandlerCall): unknown => valueFrom(parsePlaceholder(name, bind), call);
  const valueFrom = (
    { source, path: [first = "", ...others] }: ValueSource,
    { input, context }: HandlerCall,
  ): unknown => {
    const [, ...bound] = (own(bind, first) ?? "").split(".");
    const members = source === "bound" ? [...bound, ...others] : [first, ...others];
    return members.reduce<unknown>(readOwnMember, source === "input" ? input : context);
  };
  switch (declared.kind) {
    case "http": {
      const {
        method,
        path,
        query = {},
        headers = {},
        cookies = {},
        body,
        parameters,
        result,
        pagination,
      } = declared.declaration;
      const { mediaType, encoding, ...content } = body ?? {};
      const names = splitTemplate(path).flatMap((part) => ("name" in part ? [part.name] : []));
      const named = isList(query as JsonValue)
        ? Object.fromEntries((query as readonly string[]).map((name) => [name, `input.${name}`]))
        : (query as JsonObject);
      const given = Object.entries({ query: named, headers, cookies }).filter(
        ([, values]) => Object.keys(values).length > 0,
      );
      const hasRequest = names.length > 0 || given.length > 0 || body !== undefined;
      const request: Take = (call) => ({
        ...(names.length > 0 ? { path: Object.fromEntries(names.map((name) => [name, placeholder(name, call)])) } : {}),
        ...Object.fromEntries(given.map(([part, values]) => [part, valueOf(values, call)])),
        ...(body === undefined
          ? {}
          : { body: { ...(valueOf(content as JsonObject, call) as object), mediaType, encoding } }),
      });
      const rows = [metadata.behavior, ...(spec.concurrency?.rules === undefined ? [] : rules)];
      const needsKey = rows.some(({ isIdempotent }) => isIdempotent === "withKey");
      return {
        method,
        path,
        result,
        styles: parameters,
        pagination,
        idempotencyHeader: needsKey ? "Idempotency-Key" : undefined,
        request: hasRequest ? fromCall(request) : undefined,
      };
    }
    case "sql": {
      const { text, names } = parseNamedStatement(declared.declaration.statement);
      const { timeoutSeconds } = metadata.limits;
      return {
        text,
        maxRows: declared.declaration.maxRows,
        readOnly: worstCase.class === "READ_ONLY" ? true : undefined,
        timeoutSeconds: timeoutSeconds === "unlimited" ? undefined : timeoutSeconds,
        values: names.length === 0 ? undefined : fromCall((call) => names.map((name) => placeholder(name, call))),
      };
    }
    case "command": {
      const { argv, cwd, publicEnv, okExitCodes, stdout } = declared.declaration;
      const argumentsOf = (written: string, call: HandlerCall): readonly string[] => {
        const parts = splitTemplate(written);
        const values = parts.map((part) => ("name" in part ? placeholder(part.name, call) : part.text));
        const [part] = parts;
        if (parts.length === 1 && part !== undefined && "name" in part && isListed(part.name, tool)) {
          return ((values[0] ?? []) as readonly unknown[]).map(markArgument);
        }
        if (values.includes(undefined)) return [];
        return [parts.map((each, index) => ("name" in each ? markArgument(values[index]) : each.text)).join("")];
      };
      return {
        stdout,
        env: spec.needs?.env,
        publicEnv,
        okExitCodes,
        cwd: cwd === undefined ? undefined : fromCall((call) => valueOf(cwd, call)),
        argv: fromCall((call) => argv.flatMap((written) => argumentsOf(written, call))),
      };
    }
    case "mcp":
    case "plugin": {
      const bound = Object.keys(bind);
      const input: Take = (call) => ({
        ...(call.input as object),
        ...Object.fromEntries(bound.map((name) => [name, placeholder(name, call)])),
      });
      return {
        ...(declared.kind === "mcp" ? { tool: declared.declaration.tool } : { declaration: declared.declaration }),
        input: bound.length === 0 ? undefined : fromCall(input),
      };
    }
  }
}

/** Returns calls that show the source of each value: one with a distinct text for every reference, and valid ones. */
export function listHandlerCalls(
  tool: FlatTool,
  { plan, kinds }: Pick<BuildToEmit, "plan" | "kinds">,
): readonly HandlerCall[] {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return [];
  const bind = tool.spec.bind ?? {};
  const marked: HandlerCall = { input: {}, context: createConnectionContext(connectionNameOf(declared), plan) };
  for (const { source, path, text } of findReferences(declared, tool.spec, kinds)) {
    const name = path.join(".");
    const value = text.startsWith("{") && isListed(name, tool) ? [`${name}[]`] : name;
    if (source === "input") put(marked.input as Mutable, path, value);
    else put(marked.context as Mutable, path, `context.${name}`);
  }
  for (const [name, path] of Object.entries(bind)) {
    put(marked.context as Mutable, path.split(".").slice(1), `bound.${name}`);
  }
  // A handler receives valid inputs only, with their defaults.
  const validate = createValidator(tool.input.schema, { coerce: true, defaults: true });
  const samples = [...sampleValues(tool.input.schema, { most: MOST_SAMPLES })]
    .map((sample) => validate(sample))
    .flatMap(({ valid, value }) => (valid && isObject(value) ? [value] : []));
  return [marked, ...samples.map((input) => ({ input, context: marked.context }))];
}

const MOST_SAMPLES = 8;

/** Returns a context with the member that holds a connection's client. */
export function createConnectionContext(
  connection: string | undefined,
  plan: Pick<EmitPlan, "connections">,
): JsonObject {
  const member = readOwnMember(findConnection(connection ?? "", plan)?.settings, "context");
  return typeof member === "string" ? { [member]: `client ${member}` } : {};
}

type Mutable = Record<string, unknown>;

function put(target: Mutable, [key = "", ...others]: readonly string[], value: unknown): void {
  if (others.length === 0) target[key] ??= value;
  else {
    const inner = isObject(target[key] as JsonValue) ? (target[key] as Mutable) : {};
    target[key] = inner;
    put(inner, others, value);
  }
}
