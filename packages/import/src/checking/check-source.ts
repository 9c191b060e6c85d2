import { dropUndefined, isObject, toObject, indexBy } from "@hasp/base/json";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { compile, type CompilePlan, type CompileResult, type SourceText } from "@hasp/compiler";
import { completePlan, type LoadedDocument } from "@hasp/compiler/model";
import { builtInPlugins } from "@hasp/project/built-in";
import type { FoundInTexts } from "@hasp/project/session";
import type { JsonValue } from "@hasp/schema";
import { importers, type ImportKind } from "../importers/index.js";
import { findList } from "../importers/entries/tool-list.js";
import type { ImportedSource } from "../importers/source/importer.js";
import { readSourceFile } from "../sources/read-file.js";
import { readImportSources } from "../sources/read-import-source.js";
import { type CheckRequest, type ReadLists, readServers } from "./servers.js";

/** A list of tools that exists, compiled as if it were a project's. */
export interface CheckedList extends Pick<ImportedSource, "refused"> {
  readonly name: string;
  readonly plan: CompilePlan;
  readonly result: CompileResult;
}

/** Checks the tools of a file, or of the servers that it names, in memory: nothing is written, and no project is needed. */
export async function checkSource(request: CheckRequest): Promise<FoundInTexts<readonly CheckedList[]>> {
  const { reads, diagnostics: unread, sources = [] } = await readLists(request);
  const diagnostics = [...unread];
  const texts = new Map([...sources, ...reads.flatMap((each) => [...each.sources])]);
  const value: CheckedList[] = [];
  for (const { kind, server, source } of reads) {
    const { value: imported, diagnostics: found } = (await importers[kind]()).read(source);
    // Servers send their schemas as they are; other lists would be served by hasp.
    const isServed = kind === "mcp" || kind === "mcp-list";
    const plan = completePlan({ ...request.plan, unlocked: true, isServed, ...dropUndefined({ server }) });
    const result = await compile(listSpecs(imported), plan, { plugins: builtInPlugins, emits: false });
    diagnostics.push(...found, ...result.diagnostics.map(createPlacement(imported, source.document)));
    value.push({ name: server ?? source.name, plan, result, refused: imported.refused });
  }
  return { value, diagnostics, texts };
}

async function readLists(request: CheckRequest): Promise<ReadLists> {
  const { folder, file: named } = request;
  const isCode = /\.[cm]?[jt]sx?$/u.test(named);
  const file = isCode ? undefined : await readSourceFile(folder, named);
  const document = file !== undefined && "source" in file ? file.source.document : undefined;
  const listed = document && (await readServers(document, request));
  if (listed !== undefined) return listed;
  const kind = isCode ? "zod" : chooseKind(document?.value ?? null);
  const own = { kind, named, options: { outputs: true, timeout: 60 }, ask: undefined };
  const read = await readImportSources((await importers[kind]()).reads, { ...request, ...own });
  if ("diagnostics" in read) return { ...read, reads: [] };
  return { diagnostics: [], reads: read.map((each) => ({ ...each, kind })) };
}

/** The importers by a key of the entries in their lists, or of the document around it, the surest first. */
const KINDS: { readonly [key: string]: ImportKind } = {
  inputSchema: "mcp-list",
  input_schema: "anthropic",
  type: "openai",
  functions: "openai",
  functionDeclarations: "gemini",
  function_declarations: "gemini",
  parameters: "gemini",
  parametersJsonSchema: "gemini",
  parameters_json_schema: "gemini",
};

function chooseKind(value: JsonValue): ImportKind {
  const document = toObject(value);
  if ((document["openapi"] ?? document["swagger"]) !== undefined) return "openapi";
  const entry = findList(value, ["tools"])?.list.find(isObject) ?? document;
  return KINDS[Object.keys(KINDS).find((key) => Object.hasOwn(entry, key)) ?? ""] ?? "mcp-list";
}

/** Prints the specs, which state what the source suggests about its tools. */
function listSpecs({ tools, shared }: ImportedSource): readonly SourceText[] {
  const specs = tools.map(({ fileName, spec }): SourceText => {
    const { class: concurrency, isDestructive } = toObject(toObject(spec["origin"])["suggested"]);
    const stated = { ...spec, concurrency: { class: concurrency }, behavior: { isDestructive } };
    return { uri: fileName, text: JSON.stringify(stated), role: "spec" };
  });
  if (shared !== undefined) specs.push({ uri: shared.fileName, text: JSON.stringify(shared.content), role: "shared" });
  return specs;
}

/** Creates a function that moves findings in specs to their sources. */
function createPlacement({ tools }: ImportedSource, document: LoadedDocument): (found: Diagnostic) => Diagnostic {
  const byFile = indexBy(tools, ({ fileName }) => fileName);
  const move = ({ uri, pointer }: Location): Location => {
    const home = byFile.get(uri)?.locate() ?? document.locate("");
    // Finds the nearest value around a part that the source does not have.
    const place = home.pointer + pointer.replace(/^\/(?:in|out)put/u, "$&Schema");
    return home.uri === document.uri ? document.locate(place) : home;
  };
  return ({ location, related: _inSpecs, fix: _ofSpec, ...found }) => ({
    ...found,
    ...(location && { location: move(location) }),
  });
}
