import { randomUUID } from "node:crypto";
import { constants, rmSync } from "node:fs";
import { link, mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CallPatch,
  type CallStore,
  DamagedStore,
  type Question,
  type QuestionFilter,
  type TurnRecord,
} from "@hasp/runtime/call-store";
import { type RetentionOptions, createSweeper } from "../calls/retention.js";
import { checkLayout, printLabel, readEach, readLabel } from "../calls/read-stored.js";
import { fitsFilter, sortByAge } from "../calls/transition.js";
import { checkOwn, digest, flushFolder, ONLY_FILES, readCode, resolveFolder } from "./call-journal/private-files.js";
import { TurnJournal } from "./call-journal/turn-journal.js";

/** The version of the layout below. A store refuses a folder of another one. */
const LAYOUT = 2;
/** A journal that stays empty for longer was left by a process that died as it opened the turn. */
const OPENING_MS = 60_000;
/** The number of turns kept in memory, so that only their new lines are read. */
const MOST_KNOWN = 64;

/**
 * Creates a call store of files that only their owner can read, for the processes of one machine and one user.
 * `folder` must be on a disk of this machine, and nothing else should write to it. Every change of a call is flushed
 * before it counts. The input of a call is overwritten soon after the call is settled.
 */
export function fileCallStore(folder: string, options: RetentionOptions = {}): CallStore {
  const root = resolveFolder(folder, "fileCallStore");
  const turns = join(root, "turns");
  const questions = join(root, "questions");
  const labels = join(root, "labels");
  const known = new Map<string, TurnJournal>();

  function journalOf(name: string): TurnJournal {
    const journal = known.get(name) ?? new TurnJournal(join(turns, `${name}.jsonl`), turns);
    known.delete(name);
    known.set(name, journal);
    for (const [oldest, other] of known) {
      if (known.size <= MOST_KNOWN) break;
      if (other.isIdle && oldest !== name) {
        known.delete(oldest);
        other.close();
      }
    }
    return journal;
  }

  function turnNamed(name: string): TurnRecord | undefined {
    return journalOf(name).look()?.turn();
  }

  /** Creates a file whose name says which turn has a question, before anybody can be asked it. */
  async function note(turnId: string, question: Question): Promise<void> {
    const path = join(questions, [turnId, question.id].map(digest).concat(digestPrefixes(question.turnId)).join("."));
    await (await open(path, constants.O_CREAT | constants.O_WRONLY, 0o600)).close();
    await flushFolder(questions);
  }

  function labelsAt(conversation: string): string {
    return join(labels, `${digest(conversation)}.jsonl`);
  }

  const sweep = createSweeper(options, async (before) => {
    const asked = await namesIn(questions);
    for (const name of await turnNames()) {
      const path = join(turns, `${name}.jsonl`);
      const changed = await readChange(path);
      if (changed === undefined || changed >= before || !mayRemove(name, changed)) continue;
      // Without an `await`, in which others could open the turn again. Questions first: only their turn leads to them.
      for (const file of asked) if (file.startsWith(name)) rmSync(join(questions, file), { force: true });
      rmSync(path, { force: true });
      known.delete(name);
    }
  });

  /** True if all calls of a turn are settled, or if its opener has died; a damaged turn stays. */
  function mayRemove(name: string, changed: string): boolean {
    const isAbandoned = changed < new Date(Date.now() - OPENING_MS).toISOString();
    const read = (): boolean => journalOf(name).look()?.isOver ?? isAbandoned;
    return readEach([name], read, { onDamage: () => undefined })[0] === true;
  }

  async function turnNames(): Promise<readonly string[]> {
    return (await namesIn(turns)).filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -6));
  }

  async function turnsAsking({ id, turnId, turnPrefix }: QuestionFilter): Promise<Iterable<string>> {
    if (turnId !== undefined) return [digest(turnId)];
    const names = (await namesIn(questions)).map((name) => name.split("."));
    const wanted = id === undefined ? undefined : digest(id);
    const begin = turnPrefix?.endsWith(" ") === true ? digestPrefix(turnPrefix) : undefined;
    return new Set(
      names.flatMap(([turn = "", question, prefixes]) => {
        const isBegun = begin === undefined || prefixes === undefined || prefixes.split("-").includes(begin);
        return isBegun && (wanted ?? question) === question ? turn : [];
      }),
    );
  }

  return Object.freeze({
    keepsOrder: true,
    async setUp() {
      for (const path of [turns, questions, labels]) await mkdir(path, { recursive: true, mode: 0o700 });
      checkLayout(await layoutOf(root), LAYOUT, `at ${root}`);
      await sweep.now();
    },

    async open(turn: TurnRecord) {
      await sweep.ifDue();
      return journalOf(digest(turn.turnId)).open(turn);
    },

    async read(turnId: string) {
      return journalOf(digest(turnId)).read();
    },

    async advance(turnId, callId, from, to, patch: CallPatch) {
      if (patch.question && to === "asked") await note(turnId, patch.question);
      return journalOf(digest(turnId)).advance(callId, from, to, patch);
    },

    async questions(filter) {
      const names = await turnsAsking(filter);
      const calls = readEach(names, (name) => turnNamed(name)?.calls ?? [], filter).flat();
      return sortByAge(calls.flatMap((call) => (fitsFilter(call, filter) ? call.question : [])));
    },

    async addLabels(conversation, entries) {
      const path = labelsAt(conversation);
      const stored = new Set(await linesIn(path));
      const lines = entries.map(printLabel).filter((line) => !stored.has(line));
      // Another process may remove the file while it is open here.
      while (lines.length > 0 && !(await append(path, lines)));
      if (lines.length > 0) await flushFolder(labels);
    },

    async labels(conversation) {
      return [...new Set(await linesIn(labelsAt(conversation)))].map((line) => readLabel(line, conversation));
    },

    async forget(conversation) {
      await rm(labelsAt(conversation), { force: true });
      await flushFolder(labels);
    },

    async records({ turnId, since = "", ...options }) {
      const names = turnId === undefined ? await turnNames() : [digest(turnId)];
      const all = readEach(names, (name) => journalOf(name).look()?.audit ?? [], options).flat();
      const found = all.filter(({ at }) => at >= since);
      return turnId === undefined ? found.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)) : found;
    },
  } satisfies CallStore);
}

/** The most blanks of an id by which its turn is found. */
const MOST_PREFIXES = 4;

/** Digests the beginnings of a turn's id that end with a blank; nothing if there are too many for the name of a file. */
function digestPrefixes(turnId: string): readonly string[] {
  const ends = Array.from(turnId.matchAll(/ /gu), ({ index }) => index + 1);
  return ends.length > MOST_PREFIXES ? [] : [ends.map((end) => digestPrefix(turnId.slice(0, end))).join("-")];
}

function digestPrefix(prefix: string): string {
  return digest(prefix).slice(0, 16);
}

/** Reads the layout of a folder, or writes it to a new one. Git ignores that: waiting inputs are nothing to commit. */
async function layoutOf(root: string): Promise<unknown> {
  const path = join(root, "layout.json");
  let text = await readOwn(path);
  if (text === undefined) {
    // A .gitignore of the user's own stays.
    await writeFile(join(root, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 }).catch(unlessExists);
    text = await createFile(path, JSON.stringify({ layout: LAYOUT }));
  }
  try {
    return (JSON.parse(text) as { readonly layout?: unknown } | null)?.layout;
  } catch {
    throw new DamagedStore(path);
  }
}

function unlessExists(error: unknown): void {
  if (readCode(error) !== "EEXIST") throw error;
}

/** Creates a whole file at once. Returns its text, also if another process was first. */
async function createFile(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
    await link(draft, path).catch(unlessExists);
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
  return (await readOwn(path)) ?? "";
}

/** Reads a file that belongs to this user alone. Throws for a link, and for a file that others may read. */
async function readOwn(path: string): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | ONLY_FILES);
  } catch (error) {
    if (readCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    checkOwn(path, await file.stat());
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function linesIn(path: string): Promise<readonly string[]> {
  return ((await readOwn(path)) ?? "").split("\n").filter((line) => line !== "");
}

/** Appends lines durably, apart from a line that a crash cut off. Returns false if the file was removed meanwhile. */
async function append(path: string, lines: readonly string[]): Promise<boolean> {
  const file = await open(path, constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | ONLY_FILES, 0o600);
  try {
    const stats = await file.stat();
    if (stats.nlink > 0) checkOwn(path, stats);
    await file.appendFile(`\n${lines.join("\n")}\n`);
    await file.datasync();
    return (await file.stat()).nlink > 0;
  } finally {
    await file.close();
  }
}

/** Returns when a file was last changed, as an ISO date; `undefined` if another process has removed it. */
async function readChange(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).mtime.toISOString();
  } catch (error) {
    if (readCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (readCode(error) === "ENOENT") return [];
    throw error;
  }
}
