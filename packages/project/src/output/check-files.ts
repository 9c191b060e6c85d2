import { join } from "node:path";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { globSync } from "tinyglobby";
import { type Diagnostic, type Found, createLocation, joinList, nameSome } from "@hasp/base/diagnostics";
import type { OutputFile } from "@hasp/compiler";
import { groupBy } from "@hasp/base/json";
import { findConflict } from "@hasp/compiler/source";
import { isTemporary } from "../fs/write-atomically.js";
import { findOutputTwins } from "../modules/twins.js";
import { driftDiagnostics } from "./output-diagnostics.js";
import { findStaleOutputs, type WriteOptions } from "./plan-writes.js";
import {
  isSameText,
  isUnedited,
  readInputs,
  readPreviousManifest,
  readTextIfThere,
  readVersion,
} from "./previous-manifest.js";

/** With more edits, finding the shortest difference costs more than it gains. */
const EDITS_LIMIT = 2000;

/** Compares two texts like `diff -u`, ignoring line endings; empty if they are the same. */
export function printUnifiedDiff(path: string, before: string, after: string): string {
  const [left, right] = [before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n")];
  if (left === right) return "";
  const options = { context: 3, maxEditLength: EDITS_LIMIT };
  // If too much differs, both texts are shown completely.
  const patch = structuredPatch(path, path, left, right, "", "", options) ?? {
    ...structuredPatch(path, path, left, "", "", ""),
    hunks: [left, right].flatMap((text, index) =>
      index === 0
        ? structuredPatch(path, path, text, "", "", "").hunks
        : structuredPatch(path, path, "", text, "", "").hunks,
    ),
  };
  return formatPatch(patch, FILE_HEADERS_ONLY).trimEnd();
}

export interface FileDrift {
  readonly path: string;
  readonly kind:
    | "missing"
    | "handler-missing"
    | "outdated"
    | "other-version"
    | "conflicted"
    | "reformatted"
    | "edited"
    | "leftover";
  /** The change that a build would make, like `diff -u`; empty for a file that is missing, in conflict or left over. */
  readonly diff: string;
  /** The first line that differs; 1 for a file that differs as a whole. */
  readonly line: number;
}

/** Compares the files on disk with those of a build and writes nothing. Line endings alone are not drift. */
export function checkFiles(
  files: readonly OutputFile[],
  { root, outDir }: Pick<WriteOptions, "root" | "outDir">,
): Found<readonly FileDrift[]> {
  const previous = readPreviousManifest(root, `${outDir}/manifest.json`);
  const handlers = new Set(previous.handlers.values());
  const manifest = files.find(({ path }) => path === `${outDir}/manifest.json`)?.text;
  const lastManifest = readTextIfThere(join(root, outDir, "manifest.json")) ?? "";
  const version = readVersion(manifest ?? "");
  const isOtherVersion = previous.version !== undefined && version !== undefined && previous.version !== version;
  // Digests of shared files would conflict in every merge. They are as built if the manifest is.
  const isManifestCurrent = manifest !== undefined && isSameText(lastManifest, manifest);
  const drifts: FileDrift[] = [];
  for (const { path, owner, text } of files) {
    const present = readTextIfThere(join(root, path));
    if (present === undefined) {
      // It held the user's own code, if it was a handler of the last build.
      const isHandler = owner === "user" && handlers.has(path);
      drifts.push({ path, kind: isHandler ? "handler-missing" : "missing", diff: "", line: 1 });
    } else if (owner === "hasp" && !isSameText(present, text)) {
      const conflict = findConflict(present);
      if (conflict !== undefined) {
        drifts.push({ path, kind: "conflicted", diff: "", line: present.slice(0, conflict).split("\n").length });
        continue;
      }
      if (isSameButForLayout(present, text)) {
        drifts.push({ path, kind: "reformatted", ...differenceOf(path, present, text) });
        continue;
      }
      // An unedited file of the last build is merely old. The manifest cannot vouch for itself.
      const digest = previous.outputs.get(path);
      const isEdited =
        digest === undefined ? isManifestCurrent : !previous.merged.has(path) && !isUnedited(present, digest);
      const kind = isEdited ? "edited" : isOtherVersion ? "other-version" : "outdated";
      drifts.push({ path, kind, ...differenceOf(path, present, text) });
    }
  }
  const { unedited, edited } = findStaleOutputs(files, previous, root, outDir);
  const stale = [...unedited, ...edited];
  drifts.push(
    ...stale.map((path): FileDrift => ({
      path,
      kind: "leftover",
      diff: "",
      line: 1,
    })),
  );
  const generated = files.flatMap(({ path, owner }) => (owner === "hasp" ? [path] : []));
  const twins = findOutputTwins(root, [...generated, ...stale]);
  const strangers = findStrangers([...files, ...drifts, ...twins], { root, outDir });
  const groups = groupBy(drifts, ({ kind, path }) => (BUILT_ANEW.has(kind) ? kind : `${kind} ${path}`));
  const causes: Causes = {
    was: previous.version ?? "",
    version: version ?? "",
    inputs: findChangedInputs(lastManifest, manifest ?? ""),
  };
  return {
    value: drifts,
    diagnostics: [
      ...[...groups.values()].flatMap((group) => group.slice(0, 1).map((drift) => diagnosticOf(drift, group, causes))),
      ...strangers,
    ],
  };
}

/**
 * Finds the files in hasp's own folder that no build made, except hidden files and those that a compiler or an
 * interrupted build puts beside a generated module.
 */
export function findStrangers(
  known: readonly Pick<OutputFile, "path">[],
  { root, outDir }: Pick<WriteOptions, "root" | "outDir">,
): readonly Diagnostic[] {
  const paths = new Set(known.map(({ path }) => path));
  const modules = new Set(known.map(({ path }) => withoutExtension(path)));
  return globSync("**/*", { cwd: join(root, outDir), ignore: ["**/node_modules/**"], followSymbolicLinks: false })
    .map((path) => `${outDir}/${path}`)
    .filter((path) => !paths.has(path) && !isTemporary(path))
    .filter((path) => !COMPILED.test(path) || !modules.has(withoutExtension(path)))
    .toSorted()
    .map((path) => driftDiagnostics("stranger", createLocation(path), { path }));
}

const COMPILED = /\.(?:d\.ts|js)(?:\.map)?$/u;

function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.(?:ts|js)(?:\.map)?$/u, "");
}

function differenceOf(path: string, present: string, wanted: string): Pick<FileDrift, "diff" | "line"> {
  return { diff: printUnifiedDiff(path, present, wanted), line: firstDifference(present, wanted) };
}

/** True if two texts differ in nothing but what formatters choose. */
function isSameButForLayout(present: string, wanted: string): boolean {
  return withoutLayout(present) === withoutLayout(wanted);
}

/** The parts of a module or of JSON, between which a formatter may put spaces and line breaks. */
const PARTS = /(?<quote>["'])(?<quoted>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>|[\w$]+|\S/gu;

/** Semicolons, commas at the end of a list and bars at the start of a union. */
const OPTIONAL = / ;| ,(?= [\])}])|(?<=[=:<(,]) \|/gu;

/** Prints a text without spaces and line breaks between its parts, in one kind of quotes and without what is optional. */
function withoutLayout(text: string): string {
  const parts = Array.from(text.matchAll(PARTS), ([part, , quoted]) =>
    quoted === undefined ? part : JSON.stringify(quoted.replaceAll(/\\(["'])/gu, "$1")),
  );
  return parts
    .join(" ")
    .replaceAll(OPTIONAL, "")
    .replaceAll(/\( ([\w$]+) \)(?= = >)/gu, "$1");
}

function firstDifference(present: string, wanted: string): number {
  const wantedLines = wanted.split(/\r?\n/u);
  const lines = present.split(/\r?\n/u);
  const index = lines.findIndex((line, at) => line !== wantedLines[at]);
  return index === -1 ? lines.length : index + 1;
}

/** The kinds that one build mends, however many files there are. */
const BUILT_ANEW: ReadonlySet<FileDrift["kind"]> = new Set([
  "missing",
  "outdated",
  "other-version",
  "reformatted",
  "leftover",
]);

const NAMED_FILES = 3;

function subjectFor(group: readonly FileDrift[]): string {
  const named = quoteSome(group.map(({ path }) => path));
  return group.length === 1 ? `${named} is` : `${group.length} files (${named}) are`;
}

function quoteSome(paths: readonly string[]): string {
  const quoted = paths.map((path) => `"${path}"`);
  return joinList(nameSome(quoted, NAMED_FILES));
}

interface Causes {
  readonly was: string;
  readonly version: string;
  /** The files that a build reads and that have changed since the last one. */
  readonly inputs: readonly string[];
}

/** Lists the inputs of a build that differ; empty if the last manifest is missing or damaged. */
function findChangedInputs(before: string, after: string): readonly string[] {
  const [known, now] = [readInputs(before), readInputs(after)];
  if (known.size === 0) return [];
  return [...new Set([...known.keys(), ...now.keys()])].filter((path) => known.get(path) !== now.get(path)).toSorted();
}

function diagnosticOf(
  { path, kind, line }: FileDrift,
  group: readonly FileDrift[],
  { inputs, ...versions }: Causes,
): Diagnostic {
  const position = { offset: 0, line, column: 1 };
  const location = { uri: path, range: { start: position, end: position }, pointer: "" };
  const files = subjectFor(group);
  switch (kind) {
    case "other-version":
      return driftDiagnostics(kind, location, { files, ...versions });
    case "outdated":
      return inputs.length === 0
        ? driftDiagnostics(kind, location, { variant: "other", files })
        : driftDiagnostics(kind, location, { variant: "inputs", files, inputs: quoteSome(inputs) });
    case "missing":
    case "reformatted":
    case "leftover":
      return driftDiagnostics(kind, location, { files });
    default:
      return driftDiagnostics(kind, location, { path });
  }
}
