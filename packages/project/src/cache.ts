import { createHash, hash } from "node:crypto";
import { appendFileSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { CompileCache, type SavedStep } from "@hasp/compiler/model";
import { findOrAdd, isStructured, groupBy, once } from "@hasp/base/json";
import { isFolder } from "./fs/entries.js";
import { isWithin } from "./fs/read-inside.js";
import { removeQuietly, writeAtomically } from "./fs/write-atomically.js";
import { compilerFingerprint } from "./installation/compiler-fingerprint.js";
import type { Environment } from "./environment.js";
import { privateFolder } from "./private-folder.js";
import type { CompilerHost, HostQuestion } from "./read/host-questions.js";

// Everything that hasp keeps between runs. A cache saves time and never changes a result: an entry that is missing,
// damaged, of another version or not this user's counts as absent. Only this user's own cache folder is used, never one
// inside the project, which a commit could bring, and none if `CI` is set: there everything is computed.

export interface ProjectCache {
  readonly tools: CompileCache;
  saveTools(): boolean;
  readRun(command: string): unknown;
  saveRun(command: string, run: object): void;
  /** Deletes everything stored for this project, by any version of hasp, and counts the files. */
  clear(options: { readonly isDryRun: boolean }): number;
}

/** Files of all projects and versions together; the oldest are deleted first. */
const BYTES_LIMIT = 512 * 1024 * 1024;
const FILES_LIMIT = 48;

/** Opens the cache of a project, read with a named configuration; `undefined` if none may be used. */
export function openCache(root: string, environment: Environment, config = ""): ProjectCache | undefined {
  const folder = isFolder(root) ? cacheFolder(realpathSync(root), environment) : undefined;
  if (folder === undefined) return undefined;
  const prefix = shortDigest(realpathSync(root));
  const pathOf = (name: string): string => join(folder, `${prefix}-${shortDigest(name)}.cache`);
  const digestOf = (name: string, parts: readonly Buffer[]): string => {
    const digest = createHash("sha256").update(JSON.stringify([compilerFingerprint(), prefix, name]));
    for (const part of parts) digest.update(part);
    return digest.digest("hex");
  };
  const read = (name: string): StoredFile => {
    const file = readOwnFile(pathOf(name)) ?? Buffer.alloc(0);
    const segments: Buffer[] = [];
    let at = 0;
    while (at < file.length) {
      const start = at + DIGEST_LENGTH + LENGTH_DIGITS;
      const length = Number.parseInt(file.toString("latin1", at + DIGEST_LENGTH, start), 16);
      const segment = file.subarray(start, start + length);
      const digest = file.toString("latin1", at, at + DIGEST_LENGTH);
      if (segment.length !== length || digest !== digestOf(name, [segment])) break;
      segments.push(segment);
      at = start + length;
    }
    return { segments, size: file.length, isIntact: at > 0 && at === file.length };
  };
  const write = (name: string, parts: readonly Buffer[], { appends = false } = {}): void => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const header = `${digestOf(name, parts)}${length.toString(16).padStart(LENGTH_DIGITS, "0")}`;
    try {
      if (appends) appendFileSync(pathOf(name), Buffer.concat([Buffer.from(header), ...parts]), { mode: 0o600 });
      else writeAtomically(pathOf(name), [header, ...parts], { mode: 0o600 });
      makeRoom(folder);
    } catch {
      // On a full or read-only disk only time is lost.
    }
  };
  const tools = `tools ${config}`;
  const stored = once(() => {
    const file = read(tools);
    return { ...file, steps: unpack(file.segments) };
  });
  const usedKeys = new Set<string>();
  const cache = new CompileCache((key, title) => {
    usedKeys.add(key);
    const place = stored().steps.get(key)?.get(title);
    return place && (JSON.parse(place.segment.toString("latin1", place.start, place.end)) as SavedStep);
  });
  return {
    tools: cache,
    saveTools() {
      const { steps, size, isIntact } = stored();
      const added = cache.newSteps().map(({ key, title, step }) => ({ key, title, content: asciiJson(step) }));
      const kept = [...steps].filter(([key]) => usedKeys.has(key));
      let keptBytes = 0;
      for (const [, places] of kept) for (const { start, end } of places.values()) keptBytes += end - start;
      const appends = isIntact && size < MOST_GROWTH * keptBytes;
      if (appends && added.length === 0) return false;
      const old = (appends ? [] : kept).flatMap(([key, places]) =>
        Array.from(places, ([title, { segment, start, end }]) => ({
          key,
          title,
          content: segment.subarray(start, end),
        })),
      );
      write(tools, pack([...old, ...added]), { appends });
      return true;
    },
    readRun(command) {
      const [content] = read(command).segments;
      return content === undefined ? undefined : (JSON.parse(content.toString("utf8")) as unknown);
    },
    saveRun: (command, run) => write(command, [Buffer.from(JSON.stringify(run))]),
    clear({ isDryRun }) {
      const own = filesIn(folder).filter(({ name }) => name.startsWith(`${prefix}-`));
      for (const { name } of isDryRun ? [] : own) removeQuietly(join(folder, name));
      return own.length;
    },
  };
}

const DIGEST_LENGTH = 64;
const LENGTH_DIGITS = 16;
/** A file larger than this many times the bytes in use is rewritten instead of extended. */
const MOST_GROWTH = 1.5;

/** The segments of a file up to the first that is damaged, unfinished or foreign. */
interface StoredFile {
  readonly segments: readonly Buffer[];
  readonly size: number;
  readonly isIntact: boolean;
}

interface PackedStep {
  readonly key: string;
  readonly title: string;
  readonly content: Buffer;
}

function pack(steps: readonly PackedStep[]): readonly Buffer[] {
  const index = [...groupBy(steps, ({ key }) => key)];
  return [
    asciiJson(index.map(([key, group]) => [key, group.map(({ title, content }) => [title, content.length])])),
    Buffer.from("\n"),
    ...index.flatMap(([, group]) => group.map(({ content }) => content)),
  ];
}

/** Writes JSON in ASCII, which is read twice as fast as UTF-8. */
function asciiJson(value: unknown): Buffer {
  const json = JSON.stringify(value);
  const bytes = Buffer.from(json);
  if (bytes.length === json.length) return bytes;
  const escaped = json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return Buffer.from(escaped, "latin1");
}

interface StepPlace {
  readonly segment: Buffer;
  readonly start: number;
  readonly end: number;
}

function unpack(segments: readonly Buffer[]): ReadonlyMap<string, ReadonlyMap<string, StepPlace>> {
  const steps = new Map<string, Map<string, StepPlace>>();
  for (const segment of segments) {
    const line = segment.indexOf("\n");
    let end = line + 1;
    // Its digest shows that `pack` made it.
    for (const [key, group] of JSON.parse(segment.toString("latin1", 0, line)) as PackedIndex) {
      const places = findOrAdd(steps, key, () => new Map<string, StepPlace>());
      for (const [title, length] of group) places.set(title, { segment, start: end, end: (end += length) });
    }
  }
  return steps;
}

type PackedIndex = readonly (readonly [key: string, group: readonly (readonly [title: string, length: number])[]])[];

function cacheFolder(root: string, environment: Environment): string | undefined {
  const { CI: ci = "" } = environment;
  if (!["", "0", "false", "no"].includes(ci.toLowerCase())) return undefined;
  const folder = privateFolder(environment);
  return folder === undefined || isWithin(root, folder) ? undefined : folder;
}

function readOwnFile(path: string): Buffer | undefined {
  try {
    const entry = lstatSync(path);
    return entry.isFile() && entry.size <= BYTES_LIMIT ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function makeRoom(folder: string): void {
  let bytes = 0;
  for (const [index, { name, size }] of filesIn(folder).entries()) {
    bytes += size;
    if (index >= FILES_LIMIT || bytes > BYTES_LIMIT) removeQuietly(join(folder, name));
  }
}

function filesIn(folder: string): readonly { readonly name: string; readonly size: number }[] {
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{16}-[0-9a-f]{16}\.cache(?:\.\d+\.hasp-tmp)?$/u.test(name))
    .flatMap((name) => {
      const entry = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return entry === undefined ? [] : [{ name, size: entry.size, time: entry.mtimeMs }];
    })
    .toSorted((left, right) => right.time - left.time);
}

function shortDigest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 16);
}

type TrackedQuestion = HostQuestion & { readonly digest: string };

export interface TrackedInputs {
  readonly questions: readonly TrackedQuestion[];
}

export interface InputTracker extends CompilerHost {
  readonly questions: readonly TrackedQuestion[];
}

/** Wraps a host so that its answers can be verified later. */
export function trackInputs(host: CompilerHost): InputTracker {
  const questions: TrackedQuestion[] = [];
  return {
    questions,
    async ask(kind, question) {
      const answer = await host.ask(kind, question);
      // The parameters and the type agree for each kind.
      questions.push({ kind, question, digest: digestOfAnswer(answer) } as TrackedQuestion);
      return answer;
    },
  };
}

export async function verifyInputs(
  { questions }: TrackedInputs,
  host: CompilerHost,
): Promise<Map<string, string> | undefined> {
  const texts = new Map<string, string>();
  for (const { kind, question, digest } of questions) {
    const answer = await host.ask(kind, question);
    if (digestOfAnswer(answer) !== digest) return undefined;
    if (isText(answer) && answer.role !== "config") texts.set(answer.uri, answer.text);
  }
  return texts;
}

interface Text {
  readonly uri: string;
  readonly role: string;
  readonly text: string;
  readonly unreadable?: string;
}

function isText(answer: unknown): answer is Text {
  return isStructured(answer) && "role" in answer && "text" in answer;
}

function digestOfAnswer(answer: unknown): string {
  if (!isText(answer)) return hash("sha256", JSON.stringify(answer, withMaps) ?? "absent", "base64url");
  return hash("sha256", `${answer.role} ${answer.unreadable ?? ""}\0${answer.text}`, "base64url");
}

function withMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : value;
}
