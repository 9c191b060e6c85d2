import { toRecord } from "@hasp/base/json";
import type { ReadSource, SourceForm } from "../importers/source/importer.js";
import type { McpServerAddress } from "./read-mcp-server.js";
import { splitCommand } from "./split-command.js";
import { printVisibleText, createLocation, type Diagnostic } from "@hasp/base/diagnostics";
import { sessionDiagnostics } from "@hasp/project/session";
import { sourceDiagnostics } from "./source-diagnostics.js";
import type { ImportRequest } from "./import-request.js";

/** The findings about a source that cannot be read, and the texts that they are in. */
export interface Unread {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources?: ReadonlyMap<string, string>;
}

export type Read = Extract<ReadSource, { readonly source: unknown }>;

export async function readImportSources(form: SourceForm, request: ImportRequest): Promise<readonly Read[] | Unread> {
  const { kind, named, options, folder, session } = request;
  if (kind !== "openapi" || named === undefined) {
    const read = await readImportSource(form, request);
    return "source" in read ? [read] : read;
  }
  request.onReading(named);
  const { readOpenapi } = await import("./read-openapi.js");
  const found = await readOpenapi(named, { folder, root: session.root, seconds: options.timeout });
  const reads = found.map((read) => readOrReason(read, named));
  const unread = reads.filter((read): read is Unread => !("source" in read));
  if (unread.length === 0) return reads.filter((read) => "source" in read);
  return {
    diagnostics: unread.flatMap(({ diagnostics }) => diagnostics),
    sources: new Map(unread.flatMap(({ sources = [] }) => [...sources])),
  };
}

async function readImportSource(form: SourceForm, request: ImportRequest): Promise<Read | Unread> {
  const { kind, named = "", options, folder, session, onReading } = request;
  if (form === "server") {
    const { server: shown = "" } = options;
    const server = serverOf(shown, request);
    if (typeof server === "string") return refuseSource(server);
    onReading(shown);
    const { readMcpServer } = await import("./read-mcp-server.js");
    return readOrReason(await readMcpServer(server, options.timeout), shown);
  }
  if (form === "database") {
    const [variable = ""] = options.env ?? [];
    const address = session.environment[variable];
    if (address === undefined || address === "") {
      return { diagnostics: [sourceDiagnostics("no-source", undefined, { kind })] };
    }
    onReading(`the database of ${variable}`);
    const { readDatabase } = await import("./read-database.js");
    const { schema: schemas, timeout, writes = false } = options;
    const database = { root: session.root, variable, address, schemas, writes, seconds: timeout };
    return readOrReason(await readDatabase(database), variable);
  }
  const problem = options.server === undefined ? undefined : problemOfServer(options.server);
  if (problem !== undefined) return refuseSource(problem);
  if (/^https?:\/\//iu.test(named)) {
    const isAddress = `${printVisibleText(named)} is an address, and this import reads files: save the document in the project, where its changes can be reviewed, and name that file`;
    return refuseSource(isAddress);
  }
  onReading(named);
  if (form === "module") {
    const unset = unsetVariable(request);
    if (unset !== undefined) return refuseSource(unset);
    const { readSchemaModule } = await import("./read-file.js");
    return readOrReason(
      await readSchemaModule(folder, named, { seconds: options.timeout, environment: namedVariables(request) }),
      named,
    );
  }
  const { readSourceFile } = await import("./read-file.js");
  return readOrReason(await readSourceFile(folder, named), named);
}

function refuseSource(problem: string): Unread {
  return { diagnostics: [sourceDiagnostics("bad-source", undefined, { problem })] };
}

export function readOrReason(read: ReadSource, path: string): Read | Unread {
  return "reason" in read
    ? {
        diagnostics: [
          sessionDiagnostics("cannot-read", read.at && createLocation(printVisibleText(path), read.at), {
            path: printVisibleText(path),
            reason: printVisibleText(read.reason),
          }),
        ],
      }
    : read;
}

function problemOfServer(server: string): string | undefined {
  if (isWebAddress(server)) return undefined;
  if (/^\w+:\/\//u.test(server)) return "the address of a server must begin with http:// or https://";
  if (/^\S+\.json$/u.test(server)) {
    return `a list in a file is read by hasp import mcp-list ${printVisibleText(server)}`;
  }
  const words = splitCommand(server);
  if (words === undefined) return "the command of the server has a quote that is not closed";
  return words.length === 0 ? "the command of the server is empty" : undefined;
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
}

function serverOf(server: string, request: ImportRequest): McpServerAddress | string {
  const { options, folder, session } = request;
  const { header = [], env } = options;
  const problem = problemOfServer(server);
  if (problem !== undefined) return problem;
  if (!isWebAddress(server)) {
    if (header.length > 0) return "--header is for the address of a server";
    const words = splitCommand(server) ?? [];
    return unsetVariable(request) ?? { command: words, folder, environment: namedVariables(request) };
  }
  if (env !== undefined) return "--env is for the command of a server; an address takes --header";
  const headers = new Map<string, string>();
  for (const text of header) {
    const [, name, value] = /^([^=\s]+)=(.*)$/u.exec(text) ?? [];
    if (name === undefined || value === undefined) return "--header must look like name=value";
    const unset = [...value.matchAll(VARIABLE)]
      .map(([, variable = ""]) => variable)
      .find((variable) => session.environment[variable] === undefined);
    if (unset !== undefined) return `--header ${name}: the environment has no variable ${unset}`;
    headers.set(
      name,
      value.replaceAll(VARIABLE, (_, variable: string) => session.environment[variable] ?? ""),
    );
  }
  return { url: new URL(server), headers: Object.fromEntries(headers) };
}

function unsetVariable({ options, session }: ImportRequest): string | undefined {
  const unset = options.env?.find((name) => session.environment[name] === undefined);
  return unset === undefined ? undefined : `--env ${unset}: the environment has no such variable`;
}

function namedVariables({ options, session }: ImportRequest): Readonly<Record<string, string>> {
  return toRecord(options.env ?? [], (name) => session.environment[name] ?? "");
}

const VARIABLE = /\$([A-Za-z_][A-Za-z0-9_]*)/gu;
