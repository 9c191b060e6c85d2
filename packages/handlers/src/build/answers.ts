import { dropUndefined, isList, isObject, type JsonObject, type JsonValue } from "@hasp/base/json";
import type { ModuleScope, RecordRequest, StatedAnswer } from "@hasp/compiler/handlers";
import { ENTRIES } from "./codegen/entries.js";
import type * as commandEntry from "@hasp/handlers/command/v1";
import type * as httpEntry from "@hasp/handlers/http/v1";
import type * as sqlEntry from "@hasp/handlers/sql/v1";

export const answerHttp: StatedAnswer = { entry: ENTRIES.http, replace: replaceHttp };
export const answerSql: StatedAnswer = { entry: ENTRIES.sql, replace: replaceSql };
export const answerCommand: StatedAnswer = { entry: ENTRIES.command, replace: replaceCommand };

interface StatedHttpSettings {
  readonly name: string;
  readonly baseUrl: string | { readonly allowed: readonly string[] };
  readonly auth?: unknown;
}

/** Tests send and read no credentials. */
function replaceHttp(functions: ModuleScope, respond: JsonObject, record: RecordRequest): ModuleScope {
  const http = functions as typeof httpEntry;
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
    oauthTokens: () => undefined,
    tokenStore: () => undefined,
  };
}

function replaceSql(functions: ModuleScope, respond: JsonObject, record: RecordRequest): ModuleScope {
  const sql = functions as typeof sqlEntry;
  return {
    ...sql,
    sqlConnection: ({ name }: { readonly name: string }) =>
      sql.sqlConnection({
        name,
        run: async (text, values) => {
          record({ text, values: values ?? [] });
          const { rows = [], rowCount, error } = respond;
          if (isObject(error)) throw Object.assign(new Error(String(error["message"])), { code: "XX000", ...error });
          return { rows: rows as never, ...(typeof rowCount === "number" ? { rowCount } : {}) };
        },
      }),
  };
}

function replaceCommand(functions: ModuleScope, respond: JsonObject, record: RecordRequest): ModuleScope {
  const command = functions as typeof commandEntry;
  const { stdout = "", stderr = "", exitCode = 0 } = respond;
  return {
    ...command,
    commandHandler: (declaration: Parameters<typeof command.commandHandler>[0]) =>
      command.commandHandler(declaration, {
        run: async (argv, { cwd }) => {
          record({ argv, ...dropUndefined({ cwd }) });
          return { stdout: String(stdout), stderr: String(stderr), exitCode: Number(exitCode), exitSignal: null };
        },
      }),
  };
}

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
  const text = body && new TextDecoder().decode(body);
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
