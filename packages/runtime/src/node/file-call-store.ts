import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AuditRecord, CallPatch, CallRecord, CallStore, Question, TurnRecord } from "../calls/call-store.js";
import { advanced, auditOf, fitsFilter, isAsExpected, oldestFirst, proposedRecord } from "../calls/transition.js";

/** The version of the layout below. A store refuses a folder of a newer one. */
const LAYOUT = 1;
/** How many of its last writers a file names. */
const REMEMBERED_WRITERS = 16;
/** What a process began to write so long ago, it no longer writes. */
const LEFT_BEHIND_MS = 3_600_000;
/** The bits of a mode by which others than the owner may do something. */
const OTHERS = 0o077;

/** The contents of `<version>.json`: a call as it is at that version, with its whole history. */
interface CallFile {
  readonly call: CallRecord;
  readonly audit: readonly AuditRecord[];
  /** Who wrote this version and those before it: by that, a writer knows that it won. */
  readonly writers: readonly string[];
}

/**
 * Creates a call store of files that only their owner can read, for the processes of one machine and one user. The
 * folder is created if it does not exist; nothing else should write to it. Every change is flushed to the disk before
 * it counts, and made by creating a file that must not exist: a process that is killed leaves no lock behind.
 *
 * `<folder>/turns/<digest of the turn's id>/turn.json` names a turn; beside it, a folder per call holds one file, whose
 * name is the call's version. A turn can be removed by removing its folder.
 */
export function fileCallStore(folder: string): CallStore {
  const root = resolve(folder);
  const turns = join(root, "turns");
  const unfinished = join(root, "unfinished");
  const turnFolder = (turnId: string): string => join(turns, digest(turnId));

  async function readTurn(
    path: string,
  ): Promise<{ readonly turn: TurnRecord; readonly files: CallFile[] } | undefined> {
    const text = await readOwn(join(path, "turn.json"));
    if (text === undefined) return undefined;
    const { callIds, ...turn } = parse<Omit<TurnRecord, "calls"> & { readonly callIds: readonly string[] }>(path, text);
    const files: CallFile[] = [];
    for (const callId of callIds) {
      const file = await readCall(join(path, digest(callId)));
      if (file === undefined) throw new Error(`The call store at ${root} is damaged: a call of ${path} is gone.`);
      files.push(file);
    }
    return { turn: { ...turn, calls: files.map(({ call }) => call) }, files };
  }

  async function eachTurn(turnId: string | undefined): Promise<readonly string[]> {
    if (turnId !== undefined) return [turnFolder(turnId)];
    return (await namesIn(turns)).map((name) => join(turns, name));
  }

  return Object.freeze({
    async setUp() {
      await mkdir(turns, { recursive: true, mode: 0o700 });
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      await removeLeftBehind(unfinished);
      const path = join(root, "layout.json");
      const present = await readOwn(path);
      if (present === undefined) await createFile(path, JSON.stringify({ layout: LAYOUT }), unfinished);
      const { layout } = parse<{ readonly layout: unknown }>(path, present ?? (await readOwn(path)) ?? "{}");
      if (layout !== LAYOUT) {
        throw new Error(
          `The call store at ${root} has layout ${String(layout)}, and this version of @hasp/runtime knows layout ${LAYOUT}.`,
        );
      }
    },

    async open({ calls, ...turn }: TurnRecord) {
      const path = turnFolder(turn.turnId);
      if ((await readOwn(join(path, "turn.json"))) !== undefined) return false;
      const draft = join(unfinished, randomUUID());
      try {
        await mkdir(draft, { mode: 0o700 });
        const callIds = calls.map(({ callId }) => callId);
        await writeFlushed(join(draft, "turn.json"), JSON.stringify({ ...turn, callIds }));
        for (const call of calls) {
          const own = join(draft, digest(call.callId));
          await mkdir(own, { mode: 0o700 });
          const file: CallFile = { call, audit: [proposedRecord(call, turn.principal)], writers: [] };
          await writeFlushed(join(own, `${call.version}.json`), JSON.stringify(file));
          await flushFolder(own);
        }
        await flushFolder(draft);
        // A folder that is not empty is never replaced: of several, one wins.
        await rename(draft, path);
        await flushFolder(turns);
        return true;
      } catch (error) {
        await rm(draft, { recursive: true, force: true });
        if (["EEXIST", "ENOTEMPTY", "EPERM"].includes(codeOf(error)) && (await readOwn(join(path, "turn.json")))) {
          return false;
        }
        throw error;
      }
    },

    async read(turnId: string) {
      return (await readTurn(turnFolder(turnId)))?.turn;
    },

    async advance(turnId, callId, from, to, patch: CallPatch) {
      const own = join(turnFolder(turnId), digest(callId));
      // An expected state may come again: who loses against another change of the same state tries once more.
      for (;;) {
        const before = await readCall(own);
        if (before === undefined || !isAsExpected(before.call, from)) return false;
        const call = advanced(before.call, to, patch);
        const record = auditOf(before.call, call, patch);
        const writer = randomUUID();
        const writers = [...before.writers, writer].slice(-REMEMBERED_WRITERS);
        const file: CallFile = {
          call,
          audit: record === undefined ? before.audit : [...before.audit, record],
          writers,
        };
        const path = join(own, `${call.version}.json`);
        if (!(await createFile(path, JSON.stringify(file), unfinished))) continue;
        await flushFolder(own);
        // This version may have existed before, and be outdated: then it is not in what came after it.
        const now = await readCall(own);
        if (now?.writers.includes(writer) === true) {
          await removeOlder(own, now.call.version);
          return true;
        }
        await rm(path, { force: true });
      }
    },

    async questions(filter) {
      const found: Question[] = [];
      for (const path of await eachTurn(filter.turnId)) {
        for (const call of (await readTurn(path))?.turn.calls ?? []) {
          if (fitsFilter(call, filter)) found.push(call.question);
        }
      }
      return oldestFirst(found);
    },

    async records({ turnId, since = "" }) {
      const found: AuditRecord[] = [];
      for (const path of await eachTurn(turnId)) {
        for (const { audit } of (await readTurn(path))?.files ?? []) {
          found.push(...audit.filter(({ at }) => at >= since));
        }
      }
      return found.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    },
  } satisfies CallStore);
}

/** A call at its highest version. */
async function readCall(folder: string): Promise<CallFile | undefined> {
  for (;;) {
    const version = Math.max(-1, ...(await versionsIn(folder)));
    if (version < 0) return undefined;
    const path = join(folder, `${version}.json`);
    const text = await readOwn(path);
    if (text !== undefined) return parse<CallFile>(path, text);
    // A newer version has just replaced it.
  }
}

async function versionsIn(folder: string): Promise<readonly number[]> {
  return (await namesIn(folder))
    .filter((name) => /^\d{1,15}\.json$/.test(name))
    .map((name) => Number.parseInt(name, 10));
}

async function removeOlder(folder: string, version: number): Promise<void> {
  for (const older of await versionsIn(folder)) {
    if (older < version) await rm(join(folder, `${older}.json`), { force: true });
  }
}

/** Removes what killed processes left. */
async function removeLeftBehind(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Creates a whole file at once. Answers `false` if there is one of that name. */
async function createFile(path: string, text: string, unfinished: string): Promise<boolean> {
  const draft = join(unfinished, randomUUID());
  await writeFlushed(draft, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable, where the platform can. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The text of a file that belongs to this user alone. Throws for a link, and for a file that others may read. */
async function readOwn(path: string): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { mode } = await file.stat();
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
      throw new Error(`${path} can be read by other users, so the call store does not trust it.`);
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function parse<Value>(path: string, text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new Error(`${path} is no JSON: the call store was damaged.`);
  }
}

function digest(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
