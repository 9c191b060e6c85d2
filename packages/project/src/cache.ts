import { createHash, hash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { CompileCache, type SavedStep } from "@hasp/compiler";
import { attempt } from "@hasp/base/diagnostics";
import { findOrAdd, isStructured, groupBy } from "@hasp/base/json";
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
const FILES_LIMIT = 768;

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
  const read = (name: string): Buffer | undefined => {
    const file = readOwnFile(pathOf(name));
    const content = file?.subarray(DIGEST_LENGTH);
    return content && file?.toString("latin1", 0, DIGEST_LENGTH) === digestOf(name, [content]) ? content : undefined;
  };
  const write = (name: string, parts: readonly Buffer[]): void => {
    try {
      writeAtomically(pathOf(name), [digestOf(name, parts), ...parts], { mode: 0o600 });
    } catch {
      // On a full or read-only disk only time is lost.
    }
  };
  const shards = new Map<string, ReturnType<typeof unpack>>();
  const stored = (shard: string): ReturnType<typeof unpack> => findOrAdd(shards, shard, () => unpack(read(shard)));
  const usedKeys = new Set<string>();
  const cache = new CompileCache((key, title) => {
    usedKeys.add(key);
    const content = stored(shardOf(key, config)).get(key)?.get(title);
    return content && (JSON.parse(content.toString()) as SavedStep);
  });
  return {
    tools: cache,
    saveTools() {
      const added = cache
        .newSteps()
        .map(({ key, title, step }) => ({ key, title, content: Buffer.from(JSON.stringify(step)) }));
      for (const [shard, steps] of groupBy(added, ({ key }) => shardOf(key, config))) {
        const kept = [...stored(shard)].filter(([key]) => usedKeys.has(key));
        const old = kept.flatMap(([key, steps]) => Array.from(steps, ([title, content]) => ({ key, title, content })));
        write(shard, pack([...old, ...steps]));
      }
      if (added.length > 0) makeRoom(folder);
      return added.length > 0;
    },
    readRun(command) {
      const content = read(command);
      return content && (JSON.parse(content.toString()) as unknown);
    },
    saveRun(command, run) {
      write(command, [Buffer.from(JSON.stringify(run))]);
      makeRoom(folder);
    },
    clear({ isDryRun }) {
      const own = filesIn(folder).filter(({ name }) => name.startsWith(`${prefix}-`));
      for (const { name } of isDryRun ? [] : own) removeQuietly(join(folder, name));
      return own.length;
    },
  };
}

/** Returns the file of a step, one of sixteen: after a change, few are written again. Keys begin with a digest. */
function shardOf(key: string, config: string): string {
  return `tools ${key.slice(0, 1)} ${config}`;
}

const DIGEST_LENGTH = 64;

interface PackedStep {
  readonly key: string;
  readonly title: string;
  readonly content: Buffer;
}

function pack(steps: readonly PackedStep[]): readonly Buffer[] {
  const index = [...groupBy(steps, ({ key }) => key)];
  const lengths = index.map(([key, group]) => [key, group.map(({ title, content }) => [title, content.length])]);
  return [
    Buffer.from(`${JSON.stringify(lengths)}\n`),
    ...index.flatMap(([, group]) => group.map(({ content }) => content)),
  ];
}

function unpack(file: Buffer = Buffer.from("[]\n")): ReadonlyMap<string, ReadonlyMap<string, Buffer>> {
  const line = file.indexOf("\n");
  let end = line + 1;
  // Its digest shows that `pack` made it.
  const index = JSON.parse(file.toString("utf8", 0, line)) as PackedIndex;
  return new Map(
    index.map(([key, group]) => [
      key,
      new Map(group.map(([title, length]) => [title, file.subarray(end, (end += length))])),
    ]),
  );
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
  return (attempt(() => readdirSync(folder)) ?? [])
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
