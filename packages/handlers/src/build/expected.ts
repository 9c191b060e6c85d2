import { isList, type JsonObject, type JsonValue, toRecord } from "@hasp/base/json";
import { createRecordedCall, type HandlerCall, isListed, markArgument, type RecordedCall } from "@hasp/compiler/plugin";
import {
  createValueReader,
  expectAuth,
  expectClient,
  type ExpectedSubject,
  fromCall,
  splitTemplate,
  type Take,
} from "@hasp/compiler/handlers";
import { ENTRIES } from "./codegen/entries.js";
import type { SpecCommand } from "./command/command-schema.js";
import type { SpecHttp } from "./http/http-schema.js";
import { parseNamedStatement } from "./sql/named-statement.js";
import type { SpecSql } from "./sql/sql-schema.js";

export function expectHttp(declaration: SpecHttp, { tool, connection }: ExpectedSubject): RecordedCall {
  const { spec, metadata, rules } = tool;
  const { method, path, query = {}, headers = {}, cookies = {}, body, parameters, result, pagination } = declaration;
  const { valueOf, placeholder } = createValueReader(tool);
  const { mediaType, encoding, ...content } = body ?? {};
  const names = splitTemplate(path).flatMap((part) => ("name" in part ? [part.name] : []));
  const named = isList(query as JsonValue)
    ? toRecord(query as readonly string[], (name) => `input.${name}`)
    : (query as JsonObject);
  const given = Object.entries({ query: named, headers, cookies }).filter(
    ([, values]) => Object.keys(values).length > 0,
  );
  const hasRequest = names.length > 0 || given.length > 0 || body !== undefined;
  const request: Take = (call) => ({
    ...(names.length > 0 ? { path: toRecord(names, (name) => placeholder(name, call)) } : {}),
    ...Object.fromEntries(given.map(([part, values]) => [part, valueOf(values, call)])),
    ...(body && { body: { ...(valueOf(content as JsonObject, call) as object), mediaType, encoding } }),
  });
  const rows = [metadata.behavior, ...(spec.concurrency?.rules === undefined ? [] : rules)];
  const needsKey = rows.some(({ isIdempotent }) => isIdempotent === "withKey");
  const settings = {
    method,
    path,
    result,
    styles: parameters,
    pagination,
    idempotencyHeader: needsKey ? "Idempotency-Key" : undefined,
    request: hasRequest ? fromCall(request) : undefined,
  };
  return createRecordedCall("httpHandler", ENTRIES.http, [connection, settings]);
}

export function expectHttpConnection(settings: JsonObject, name: string): RecordedCall {
  const entries = { name, ...settings, auth: expectAuth(settings, name, ENTRIES.oauth) };
  return createRecordedCall("httpConnection", ENTRIES.http, [entries]);
}

export function expectSql({ statement, maxRows }: SpecSql, { tool, connection }: ExpectedSubject): RecordedCall {
  const { metadata, worstCase } = tool;
  const { placeholder } = createValueReader(tool);
  const { text, names } = parseNamedStatement(statement);
  const { timeoutSeconds } = metadata.limits;
  const settings = {
    text,
    maxRows,
    readOnly: worstCase.class === "READ_ONLY" ? true : undefined,
    timeoutSeconds: timeoutSeconds === "unlimited" ? undefined : timeoutSeconds,
    values: names.length === 0 ? undefined : fromCall((call) => names.map((name) => placeholder(name, call))),
  };
  return createRecordedCall("sqlHandler", ENTRIES.sql, [connection, settings]);
}

export function expectSqlConnection(settings: JsonObject, name: string): RecordedCall {
  const { context: _context, ...plain } = settings;
  return createRecordedCall("sqlConnection", ENTRIES.sql, [{ name, ...plain, client: expectClient(settings) }]);
}

export function expectCommand(declaration: SpecCommand, { tool }: ExpectedSubject): RecordedCall {
  const { argv, cwd, publicEnv, okExitCodes, stdout } = declaration;
  const { valueOf, placeholder } = createValueReader(tool);
  const listArguments = (written: string, call: HandlerCall): readonly string[] => {
    const parts = splitTemplate(written);
    const values = parts.map((part) => ("name" in part ? placeholder(part.name, call) : part.text));
    const [part] = parts;
    if (parts.length === 1 && part !== undefined && "name" in part && isListed(part.name, tool)) {
      return ((values[0] ?? []) as readonly unknown[]).map(markArgument);
    }
    if (values.includes(undefined)) return [];
    return [parts.map((each, index) => ("name" in each ? markArgument(values[index]) : each.text)).join("")];
  };
  const settings = {
    stdout,
    env: tool.spec.needs?.env,
    publicEnv,
    okExitCodes,
    cwd: cwd === undefined ? undefined : fromCall((call) => valueOf(cwd, call)),
    argv: fromCall((call) => argv.flatMap((written) => listArguments(written, call))),
  };
  return createRecordedCall("commandHandler", ENTRIES.command, [settings]);
}
