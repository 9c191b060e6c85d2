import { resolve } from "node:path";
import { kindHandler } from "@hasp/runtime/codegen/v1";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { isList, isObject, own } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import { copyAsJson, type ModuleScope, type StatedAnswers, type HandlerFunction } from "@hasp/compiler/spec-tests";
import { locateHandlerFiles } from "@hasp/compiler/layout";
import type { HandlerProcess, ModuleExports } from "@hasp/project/modules";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { CompiledProject } from "@hasp/project/session";

/** Stubs of each handler kind: the runtime's own seams receive the stated answer. */
export const STATED_ANSWERS: StatedAnswers = {
  async http(respond, record) {
    const http = await import("@hasp/handlers/http");
    return {
      ...http,
      httpConnection: ({ auth: _auth, baseUrl: stated, ...settings }: StatedHttpSettings) => {
        const baseUrl = typeof stated === "string" ? stated : (stated.allowed[0] ?? "");
        return http.httpConnection({
          ...settings,
          baseUrl,
          fetch: async (url, { method, headers, body }) => {
            record(httpRequest(new URL(url), method, headers, body, baseUrl));
            return httpResponse(respond);
          },
        });
      },
      ...NO_TOKENS,
    };
  },
  async sql(respond, record) {
    const sql = await import("@hasp/handlers/sql");
    return {
      ...sql,
      sqlConnection: ({ name }: Named) =>
        sql.sqlConnection({
          name,
          run: async (text, values) => {
            record({ text, values: copyAsJson(values) ?? [] });
            const { rows = [], rowCount, error } = respond;
            if (isObject(error)) throw Object.assign(new Error(String(error["message"])), { code: "XX000", ...error });
            return { rows: rows as never, ...(typeof rowCount === "number" ? { rowCount } : {}) };
          },
        }),
    };
  },
  async command(respond, record) {
    const command = await import("@hasp/handlers/command");
    const { stdout = "", stderr = "", exitCode = 0 } = respond;
    return {
      ...command,
      commandHandler: (declaration: Parameters<typeof command.commandHandler>[0]) =>
        command.commandHandler(declaration, {
          run: async (argv, { cwd }) => {
            record({ argv, ...(cwd === undefined ? {} : { cwd }) });
            return {
              stdout: String(stdout),
              stderr: String(stderr),
              exitCode: Number(exitCode),
              exitSignal: null,
            };
          },
        }),
    };
  },
  async mcp(respond, record) {
    const mcp = await import("@hasp/mcp/handler");
    const client = {
      listTools: async () => ({ tools: [] }),
      callTool: async ({ name, arguments: sent }: { readonly name: string; readonly arguments: object }) => {
        record({ tool: name, arguments: copyAsJson(sent) ?? {} });
        return { content: [], ...respond };
      },
    };
    return {
      ...mcp,
      mcpConnection: ({ name }: Named) => mcp.mcpConnection({ name, client: () => client }),
      ...NO_TOKENS,
    };
  },
  async plugin({ output, error }, record) {
    const answer = (_declaration: unknown, input: unknown): JsonValue | undefined => {
      record({ input: copyAsJson(input) ?? {} });
      if (error !== undefined) throw new Error(String(error));
      return output;
    };
    return {
      kindHandler: (_run: unknown, settings: Parameters<typeof kindHandler>[1]) => kindHandler(answer, settings),
    };
  },
};

interface Named {
  readonly name: string;
}

interface StatedHttpSettings extends Named {
  readonly baseUrl: string | { readonly allowed: readonly string[] };
  readonly auth?: unknown;
}

/** Tests send and read no credentials. */
const NO_TOKENS: ModuleScope = { oauthTokens: () => undefined, tokenStore: () => undefined };

function httpRequest(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
  baseUrl: string,
): JsonObject {
  const query: { [name: string]: JsonValue } = {};
  for (const [name, value] of url.searchParams) {
    const before = query[name];
    query[name] = before === undefined ? value : [...(isList(before) ? before : [before]), value];
  }
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/u, "");
  const text = body === undefined ? undefined : new TextDecoder().decode(body);
  return {
    method,
    path: url.pathname.slice(prefix.length),
    query,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(text === undefined ? {} : { body: parsed(text) }),
  };
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function httpResponse({ status = 200, headers, body }: JsonObject): Response {
  const isText = typeof body === "string";
  const type: Record<string, string> = body === undefined || isText ? {} : { "content-type": "application/json" };
  const code = Number(status);
  const mayHaveBody = code >= 200 && ![204, 205, 304].includes(code);
  return new Response(!mayHaveBody || body === undefined ? null : isText ? body : JSON.stringify(body), {
    status: code,
    headers: { ...type, ...(headers as Record<string, string> | undefined) },
  });
}

/** Functions of the user's handlers that decide about inputs, in a separate process. */
interface LoadedHandlerFunctions {
  functionOf(tool: string, name: string): HandlerFunction | undefined;
  readonly diagnostics: readonly Diagnostic[];
  close(): Promise<readonly Diagnostic[]>;
}

function functionsOf({ rules, flags, checks }: FlatTool): ReadonlySet<string> {
  const predicates = [
    ...rules.map(({ when }) => when),
    ...flags.map(({ predicate }) => predicate),
    ...checks.map(({ that }) => that),
  ];
  return new Set(predicates.flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
}

/**
 * Loads the handlers of tools whose tests or examples need a custom function, with the configured test context. Starts
 * no process if there are none. `seconds` limits each call.
 */
export async function loadHandlerFunctions(
  tools: readonly FlatTool[],
  project: CompiledProject,
  seconds: number,
): Promise<LoadedHandlerFunctions> {
  const asking = tools
    .filter(({ spec }) => (spec.tests ?? []).length > 0 || (spec.examples ?? []).length > 0)
    .map((tool) => ({ tool: tool.name, names: functionsOf(tool) }))
    .filter(({ names }) => names.size > 0);
  if (asking.length === 0) return { functionOf: () => undefined, diagnostics: [], close: async () => [] };

  const { HandlerProcess } = await import("@hasp/project/modules");
  const process = new HandlerProcess(seconds);
  const { result, plan, root } = project;
  const files = locateHandlerFiles(
    result.tools.map(({ name }) => name),
    plan,
  );
  const functions = new Map<string, HandlerFunction>();
  const diagnostics: Diagnostic[] = [];
  for (const { tool, names } of asking) {
    const path = files.get(tool) ?? "";
    const file = resolve(root, path);
    const loaded = await process.load(file);
    if ("reason" in loaded) {
      diagnostics.push(cliDiagnostics("cannot-load", undefined, { path, reason: loaded.reason }, { tool }));
    } else {
      diagnostics.push(...missingFunctions(tool, path, names, loaded));
      const there = [...names].filter((name) => own(loaded.exports, name) === "function");
      for (const name of there) functions.set(`${tool} ${name}`, askedOnce(process, { file, name }));
    }
  }
  diagnostics.push(...(functions.size === 0 ? [] : await makeContext(process, project)));
  return {
    functionOf: (tool, name) => functions.get(`${tool} ${name}`),
    diagnostics,
    close: async () => {
      const reason = await process.close();
      return reason === undefined ? [] : [serveDiagnostics("context-not-closed", undefined, { reason })];
    },
  };
}

function missingFunctions(
  tool: string,
  path: string,
  names: ReadonlySet<string>,
  { exports }: Exclude<ModuleExports, { reason: string }>,
): readonly Diagnostic[] {
  return [...names].flatMap((name) => {
    const type = own(exports, name);
    if (type === "function") return [];
    const what =
      type === undefined
        ? "it does not export that name"
        : `what it exports is ${type === "null" ? type : `of type ${type}`}`;
    return [cliDiagnostics("no-function", undefined, { path, name, what }, { tool })];
  });
}

/** Stops asking a function after it failed to answer: a hang costs one timeout, not one per test. */
function askedOnce(
  process: HandlerProcess,
  reference: { readonly file: string; readonly name: string },
): HandlerFunction {
  let lapse: string | undefined;
  return async (question) => {
    if (lapse !== undefined) {
      return { kind: "lapsed", reason: `was not called, because in an earlier test it ${lapse}` };
    }
    const answer = await process.ask(reference, question);
    if (answer.kind === "lapsed") lapse = answer.reason;
    return answer;
  };
}

async function makeContext(
  process: HandlerProcess,
  { plan: { testContext }, root }: CompiledProject,
): Promise<readonly Diagnostic[]> {
  if (testContext === undefined) return [];
  const { file, name } = testContext;
  const reason = await process.makeContext({ file: resolve(root, file), name });
  return reason === undefined ? [] : [serveDiagnostics("context-fails", undefined, { file, name, reason })];
}
