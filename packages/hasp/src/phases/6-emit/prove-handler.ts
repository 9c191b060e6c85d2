import type { JsonValue } from "@hasp/schema";
import { connectionFile } from "../../emitters/base/connection-file.js";
import type { ToolToEmit } from "../../emitters/base/emitter.js";
import { importPath } from "../../emitters/base/layout.js";
import { connectionNameOf, declarationOf, type KindedDeclaration } from "../../model/handlers/declaration-of.js";
import type { SpecBind } from "../../model/handlers/declaration.js";
import { isList, isObject } from "../../model/json-kind.js";
import { own } from "../../model/own.js";
import { isSameJson } from "../../model/same-json.js";
import { namedStatement } from "../../handlers/sql/named-statement.js";
import {
  ReadCall,
  ReadCode,
  ReadConditional,
  type ReadModule,
  ReadSpread,
  type ReadValue,
  returnedValue,
} from "../../typescript/read-module.js";
import { fault } from "./fault.js";

/** A value that must come from a call: the members that lead to it, such as `input.limit`. */
class Taken {
  readonly members: string;

  constructor(members: string) {
    this.members = members;
  }
}

type Expected = JsonValue | Taken | readonly Expected[] | { readonly [key: string]: Expected };

/**
 * Proves that the module of a declared handler calls the function of its kind with the connection, the texts and the
 * values that the spec declares, each from the place that it names. Throws otherwise, which is a bug in hasp.
 */
export function proveHandler({ tool, layout, plan }: ToolToEmit, module: ReadModule): void {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return fault(module.path, `${tool.name} declares no handler`);
  const { kind } = declared;
  const call = module.constant("execute");
  const called = `${kind}Handler`;
  const from = module.imports.get(called);
  if (!(call instanceof ReadCall) || call.called !== called || from?.from !== `@hasp/runtime/${kind}`) {
    return fault(module.path, `it does not call ${called}`);
  }
  const connection = connectionNameOf(declared);
  const values = connection === undefined ? [null, ...call.values] : call.values;
  const [first, settings] = values;
  if (connection !== undefined) {
    const { path, constant } = connectionFile(connection, plan, layout);
    const imported = first instanceof ReadCode ? module.imports.get(first.text) : undefined;
    if (imported?.name !== constant || imported.from !== importPath(module.path, path)) {
      fault(module.path, `it does not use the connection ${connection}`);
    }
  }
  if (values.length !== 2 || typeof settings !== "object" || settings === null || settings instanceof ReadCode) {
    return fault(module.path, `${called} is not given the declaration`);
  }
  const differs = (what: string): never => fault(module.path, `${what} is not what the spec of ${tool.name} declares`);
  const read = (key: string): ReadValue | undefined => own(settings as { readonly [key: string]: ReadValue }, key);
  const known = new Set<string>();
  const expectSame = (key: string, expected: Expected | undefined, isFunction = false): void => {
    known.add(key);
    const written = read(key);
    const found = isFunction && written !== undefined ? returnedValue(written) : written;
    if (expected === undefined ? written !== undefined : !isSame(found, expected)) differs(key);
  };
  switch (declared.kind) {
    case "http": {
      const { method, path, result, parameters, pagination } = declared.declaration;
      const request = requestOf(declared.declaration, tool.spec.bind);
      expectSame("method", method);
      expectSame("path", path);
      expectSame("result", result);
      expectSame("styles", parameters as Expected | undefined);
      expectSame("pagination", pagination as Expected | undefined);
      expectSame("idempotencyHeader", needsKey(tool) ? "Idempotency-Key" : undefined);
      expectSame("request", Object.keys(request).length === 0 ? undefined : request, true);
      break;
    }
    case "sql": {
      const { timeoutSeconds } = tool.metadata.limits;
      const { text, names } = namedStatement(declared.declaration.statement);
      const taken = names.map((name) => takenBy(name, tool.spec.bind));
      expectSame("text", text);
      expectSame("maxRows", declared.declaration.maxRows);
      expectSame("readOnly", tool.worstCase.class === "READ_ONLY" ? true : undefined);
      expectSame("timeoutSeconds", timeoutSeconds === "unlimited" ? undefined : timeoutSeconds);
      expectSame("values", taken.length === 0 ? undefined : taken, true);
      break;
    }
    case "command": {
      const { argv, cwd, publicEnv, stdout } = declared.declaration;
      expectSame("stdout", stdout);
      expectSame("env", tool.spec.needs?.env);
      expectSame("publicEnv", publicEnv);
      expectSame("cwd", cwd === undefined ? undefined : expectedOf(cwd, tool.spec.bind), true);
      const written = returnedValue(read("argv") ?? null);
      known.add("argv");
      if (!Array.isArray(written) || written.length !== argv.length) return differs("argv");
      for (const [index, argument] of argv.entries()) {
        if (!isArgument(written[index] as ReadValue, argument, tool.spec.bind)) differs(`argv[${index}]`);
      }
      break;
    }
    case "mcp": {
      const bound = Object.entries(tool.spec.bind ?? {}).map(([name, path]) => [name, new Taken(path)] as const);
      expectSame("tool", declared.declaration.tool);
      expectSame("input", bound.length === 0 ? undefined : { "...input": "...", ...Object.fromEntries(bound) }, true);
      break;
    }
  }
  for (const key of Object.keys(settings)) if (!known.has(key)) differs(key);
}

/** Whether some call may be repeated with its key. */
function needsKey({ metadata, rules, spec }: ToolToEmit["tool"]): boolean {
  const rows = spec.concurrency?.rules === undefined ? [] : rules;
  return [metadata.behavior, ...rows].some(({ isIdempotent }) => isIdempotent === "withKey");
}

function requestOf(
  declaration: Extract<KindedDeclaration, { kind: "http" }>["declaration"],
  bind: SpecBind | undefined,
): { readonly [part: string]: Expected } {
  const { path, query = {}, headers, cookies, body } = declaration;
  const placeholders = [...path.matchAll(/\{([^{}]+)\}/gu)].map(
    ([, name = ""]) => [name, takenBy(name, bind)] as const,
  );
  const named = Array.isArray(query)
    ? Object.fromEntries((query as readonly string[]).map((name) => [name, `input.${name}`]))
    : (query as JsonValue);
  const parts = { query: named, headers, cookies } as { readonly [part: string]: JsonValue | undefined };
  const { mediaType, encoding, ...value } = body ?? {};
  return {
    ...(placeholders.length === 0 ? {} : { path: Object.fromEntries(placeholders) }),
    ...Object.fromEntries(
      Object.entries(parts).flatMap(([part, values]) =>
        values === undefined || Object.keys(values as object).length === 0 ? [] : [[part, expectedOf(values, bind)]],
      ),
    ),
    ...(body === undefined
      ? {}
      : {
          body: {
            ...(expectedOf(value as JsonValue, bind) as { readonly [key: string]: Expected }),
            ...(mediaType === undefined ? {} : { mediaType }),
            ...(encoding === undefined ? {} : { encoding: encoding as unknown as Expected }),
          },
        }),
  };
}

/** A placeholder: a bound name first, then a property of the input. */
function takenBy(name: string, bind: SpecBind | undefined): Taken {
  const [first = "", ...rest] = name.split(".");
  if (first === "context" && rest.length > 0) return new Taken(name);
  const path = first === "input" && rest.length > 0 ? rest : [first, ...rest];
  const bound = own(bind, path[0] ?? "");
  return new Taken([...(bound === undefined ? ["input", path[0] ?? ""] : [bound]), ...path.slice(1)].join("."));
}

function expectedOf(value: JsonValue, bind: SpecBind | undefined): Expected {
  if (typeof value === "string") return /^(?:input|context)(?:\.[^.]+)+$/u.test(value) ? takenBy(value, bind) : value;
  if (isList(value)) return value.map((item) => expectedOf(item, bind));
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, "literal") && Object.keys(value).length === 1) return value["literal"] ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expectedOf(inner ?? null, bind)]));
}

function isSame(found: ReadValue | undefined, expected: Expected): boolean {
  if (expected instanceof Taken) return found !== undefined && membersOf(found) === expected.members;
  if (found instanceof ReadSpread) return expected === "...";
  if (found instanceof ReadCode || found === undefined) return false;
  if (Array.isArray(expected)) {
    const items = expected as readonly Expected[];
    return (
      Array.isArray(found) &&
      found.length === items.length &&
      items.every((item, index) => isSame(found[index] as ReadValue, item))
    );
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
    const entries = Object.entries(expected as { readonly [key: string]: Expected });
    return (
      Object.keys(found).length === entries.length &&
      entries.every(([key, value]) => isSame(own(found as { readonly [key: string]: ReadValue }, key), value))
    );
  }
  return isSameJson(found as JsonValue, expected as JsonValue);
}

/** The members that a chain leads through: `input.a?.["b"]` is `input.a.b`. */
function membersOf(value: ReadValue): string | undefined {
  if (value instanceof ReadConditional && /^"(?:[^"\\]|\\.)*" in input$/u.test(value.test)) {
    return membersOf(value.values[0]);
  }
  if (value instanceof ReadCall && value.called === "base64" && value.values.length === 1) {
    return membersOf(value.values[0] ?? null);
  }
  if (!(value instanceof ReadCode) || !CHAIN.test(value.text)) return undefined;
  return value.text
    .replaceAll("?.", ".")
    .replaceAll(/\.?\[("(?:[^"\\]|\\.)*")\]/gu, (_all, key: string) => `.${String(JSON.parse(key))}`);
}

const CHAIN = /^(?:input|context)(?:\??\.[\w$]+|(?:\?\.)?\["(?:[^"\\]|\\.)*"\])+$/u;

/** Whether an argument holds its texts and its values, each value as `argument(…)` and nowhere else. */
function isArgument(found: ReadValue, written: string, bind: SpecBind | undefined): boolean {
  const names = [...written.matchAll(/\{([^{}]+)\}/gu)].map(([, name = ""]) => takenBy(name, bind).members);
  if (names.length === 0) return found === written;
  if (!(found instanceof ReadCode)) return false;
  const taken = [...found.text.matchAll(/(?:input|context)(?:\??\.[\w$]+|(?:\?\.)?\["(?:[^"\\]|\\.)*"\])+/gu)].map(
    ([text]) =>
      text
        .replaceAll("?.", ".")
        .replace(/\.map$/u, "")
        .replaceAll(/\.?\[("(?:[^"\\]|\\.)*")\]/gu, (_all, key: string) => `.${String(JSON.parse(key))}`),
  );
  return /\bargument\(/u.test(found.text) && isSameJson([...new Set(taken)].toSorted(), [...new Set(names)].toSorted());
}
