import { sumBy } from "@hasp/base/json";
import { type Diagnostic, sortDiagnostics } from "@hasp/base/diagnostics";
import { importers, type ImportKind } from "../importers/index.js";
import { toSlashPath } from "@hasp/project";
import { findSpecFolder, type FoundInTexts } from "@hasp/project/session";
import { type ForeignRead, readForeignSource } from "../sources/foreign-importer.js";
import { importSource, type ImportOfSource } from "./import-source.js";
import type { ImportRequest } from "../sources/import-request.js";
import type { ImportedSpec } from "./put-settings.js";
import { readImportSources, type Unread } from "../sources/read-import-source.js";
import { writeConnections, type WrittenConnections } from "./write-connection.js";

/** An import with its files written, or compared with `check`. */
export interface FinishedImport extends Pick<ImportOfSource, "states" | "refused" | "kept" | "total"> {
  /** The absolute folder of the specs. */
  readonly out: string;
  readonly connections: WrittenConnections;
  /** The handlers that were created, by path. */
  readonly handlers: readonly string[];
  /** True if the configuration does not cover the folder. */
  readonly isUnseen: boolean;
}

/** Imports the tools of a source and writes their specs. Without a value, nothing was read, and the findings say why. */
export async function importTools(request: ImportRequest): Promise<FoundInTexts<FinishedImport | undefined>> {
  const { session, kind, named, options, folder } = request;
  const { root, config } = session;
  const unread = ({ diagnostics, sources = new Map() }: Unread): FoundInTexts<undefined> => ({
    value: undefined,
    diagnostics,
    texts: sources,
  });
  const place = findSpecFolder(root, folder, options.out);
  if ("finding" in place) return unread({ diagnostics: [place.finding] });
  const out = place.path;
  const read = isKind(kind) ? await readBuiltinSource(kind, request) : await readForeignSource(request);
  if (!("reads" in read)) return unread(read);
  const { importer, reads } = read;
  const names = new Set(reads.map(({ source }) => source.name));
  const taken = new Set<string>();
  const results: ImportOfSource[] = [];
  for (const each of reads) {
    const result = await importSource(each, { request, importer, out, names, taken });
    for (const { tool } of result.states) taken.add(tool.name);
    results.push(result);
  }
  let diagnostics = results.flatMap((result) => result.diagnostics);
  const texts = new Map(reads.flatMap(({ sources }) => [...sources]));
  const total = sumBy(results, (result) => result.total);
  if (total === 0) return unread({ diagnostics: sortDiagnostics(diagnostics), sources: texts });
  const isCheck = options.check === true;
  const connections = await writeConnections(
    results.flatMap((result) => result.connections),
    { root, config, isCheck },
  );
  diagnostics.push(...connections.diagnostics);
  const states = results.flatMap((result) => result.states);
  const [{ source } = { source: undefined }] = reads;
  const handlers: string[] = [];
  if (options.handlers === true && !isCheck && kind === "zod" && source !== undefined) {
    const { writeBridges } = await import("./write-bridges.js");
    const bridges = await writeBridges(states, source, { root, folder, config, module: named ?? "" });
    handlers.push(...bridges.created);
    // Such a handler parses the input with the module's own schema, which checks and changes it.
    const isDone = ({ code, tool = "" }: Diagnostic): boolean => PARSED.has(code) && bridges.bridged.has(tool);
    diagnostics = [...diagnostics.filter((finding) => !isDone(finding)), ...bridges.diagnostics];
  }
  const value: FinishedImport = {
    out,
    states,
    refused: results.flatMap((result) => result.refused),
    kept: results.flatMap((result) => result.kept),
    total,
    connections,
    handlers,
    isUnseen: !isCheck && (await isUnseen(states, root, config)),
  };
  return { value, diagnostics: sortDiagnostics(diagnostics), texts };
}

function isKind(name: string): name is ImportKind {
  return Object.hasOwn(importers, name);
}

async function readBuiltinSource(kind: ImportKind, request: ImportRequest): Promise<ForeignRead | Unread> {
  const importer = await importers[kind]();
  const reads = await readImportSources(importer.reads, request);
  return "length" in reads ? { importer, reads } : reads;
}

const PARSED: ReadonlySet<string> = new Set(["import/refinements", "import/transforms"]);

async function isUnseen(states: readonly ImportedSpec[], root: string, config: string | undefined): Promise<boolean> {
  const { findSpecPaths } = await import("@hasp/project/read");
  const paths = await findSpecPaths(root, config);
  if (paths === undefined) return false;
  const covered = new Set(paths);
  return states.some(({ path }) => !covered.has(toSlashPath(root, path)));
}
