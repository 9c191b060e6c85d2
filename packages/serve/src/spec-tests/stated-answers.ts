import type { DispatcherExtension } from "@hasp/runtime";
import { kindHandler } from "@hasp/runtime/codegen/v1";
import { dropUndefined, type JsonObject, type JsonValue, isList, isObject } from "@hasp/base/json";
import { copyAsJson, type ModuleScope, type StatedAnswers } from "@hasp/builtin/tests";
import { compileProject, type ReadSession } from "@hasp/project/session";

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
            record({ argv, ...dropUndefined({ cwd }) });
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
  const prefix = new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/u, "");
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

/** Simulates the answers that the tests of the project's specs state. */
export async function simulateTests(session: ReadSession): Promise<DispatcherExtension> {
  const [{ simulate }, { collectAnswers, loadEmittedTools }, { runModules }] = await Promise.all([
    import("@hasp/testing"),
    import("@hasp/builtin/tests"),
    import("@hasp/project/emitted"),
  ]);
  const { value: project } = await compileProject(session, { adapt: (plan) => ({ ...plan, unlocked: true }) });
  if (project === undefined) return simulate();
  const { tools, toolsets } = project.result;
  const emitted = await loadEmittedTools(
    { tools, toolsets, plan: project.plan },
    { plugins: project.plugins, runModules, answers: STATED_ANSWERS },
    ({ spec }) => spec.tests !== undefined,
  );
  return simulate({ answers: await collectAnswers(tools, emitted.value) });
}
