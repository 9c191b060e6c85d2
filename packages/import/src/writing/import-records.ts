import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { toObject, isObject } from "@hasp/base/json";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import { type ImportedSource, type ImportedTool, readSourceName } from "../importers/source/importer.js";
import { readText, toSlashPath } from "@hasp/project";
import { editUserFile } from "@hasp/project/output";

/** A spec that someone moved or renamed, or whose tool the source no longer lists. */
export interface MovedSpec {
  readonly path: string;
  readonly tool: string;
  readonly source: string;
}

export async function findMovedSpecs(
  kind: string,
  out: string,
  tools: readonly ImportedTool[],
): Promise<ReadonlyMap<string, MovedSpec>> {
  const { parseSource } = await import("@hasp/compiler/source");
  const expected = new Set(tools.map(({ fileName }) => fileName));
  const names = await readdir(out, { recursive: true }).catch(() => []);
  const found = new Map<string, MovedSpec>();
  for (const name of names
    .filter((candidate) => /\.tool\.(?:ya?ml|json)$/u.test(candidate) && !expected.has(candidate))
    .toSorted()) {
    const path = resolve(out, name);
    const content = await readText(path);
    // Most specs are not imported; searching is cheaper than parsing.
    if (!("text" in content) || !content.text.includes("origin")) continue;
    const spec = parseSource({ uri: name, text: content.text, role: "spec" }).value?.value;
    const { origin, name: tool } = toObject(spec);
    if (!isObject(origin) || origin["kind"] !== kind || typeof tool !== "string") continue;
    const atSource = String(origin["name"]);
    if (!found.has(atSource)) found.set(atSource, { path, tool, source: String(origin["source"]) });
  }
  return found;
}

export function findSpecsGone(
  source: string,
  { tools, refused }: Pick<ImportedSource, "tools" | "refused">,
  { folder, moved }: { readonly folder: string; readonly moved: ReadonlyMap<string, MovedSpec> },
): readonly Diagnostic[] {
  const listed = new Set([...tools.map(readSourceName), ...refused]);
  return [...moved]
    .filter(([name, spec]) => spec.source === source && !listed.has(name) && !listed.has(spec.tool))
    .map(([, { path, tool }]) =>
      importDiagnostics("gone", undefined, { tool, path: toSlashPath(folder, path) }, { tool }),
    );
}

/** The committed folder of last imports, which tells the author's edits from the source's changes. */
const RECORDS_FOLDER = "hasp-imports";

/** Returns the path of an imported file's record; its name does not end like a spec's. */
export function recordPath(root: string, out: string, fileName: string): string {
  return resolve(root, RECORDS_FOLDER, toSlashPath(root, out), fileName.replace(/(?:\.tool)?\.ya?ml$/u, ".json"));
}

export async function readRecord(path: string): Promise<JsonObject | undefined> {
  const content = await readText(path);
  if (!("text" in content)) return undefined;
  try {
    const value: unknown = JSON.parse(content.text);
    return isObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

export async function writeRecord(root: string, path: string, record: JsonObject): Promise<string | undefined> {
  const result = await editUserFile(root, path, () => `${JSON.stringify(record, undefined, 2)}\n`);
  return result.state === "failed" ? result.reason : undefined;
}
