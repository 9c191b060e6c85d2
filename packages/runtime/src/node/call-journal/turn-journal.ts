import { randomUUID } from "node:crypto";
import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { CallPatch, CallStatus, ExpectedCall, TurnRecord } from "../../calls/call-store.js";
import { DamagedStore } from "../../calls/read-stored.js";
import { isAsExpected } from "../../calls/transition.js";
import { HeldFile } from "./held-file.js";
import { checkOwn, codeOf, flushFolder } from "./private-files.js";
import { readLines, type Region } from "./line.js";
import { changeLine, openingLines, TurnState, type ChangedEntry, type Entry } from "./turn-state.js";

const flush = promisify(fdatasync);
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Windows flushes only files that may be written. */
const FOR_READING = process.platform === "win32" ? constants.O_RDWR : constants.O_RDONLY;

/** A change that somebody waits for. */
interface Wanted {
  readonly callId: string;
  readonly from: ExpectedCall;
  readonly to: CallStatus;
  readonly patch: CallPatch;
  readonly resolve: (won: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The journal of one turn: a file that only grows, one line per change. Lines of several processes stand in one order,
 * since each is written by a single append; a change counts if the lines before it left the call as it expects. Nobody
 * holds a lock, so a process that is killed leaves none behind. What several calls want stored at the same moment is one
 * append, and flushed to the disk once.
 */
export class TurnJournal {
  readonly #path: string;
  readonly #folder: string;
  readonly #appending: HeldFile;
  /** Beside the one that appends: that writes at the end, whatever the position. */
  readonly #overwriting: HeldFile;
  #state: TurnState;
  /** How far the file is known, and which file it is. */
  #end = 0;
  #file = -1;
  /** How far the file is known to be on the disk. */
  #flushed = 0;
  #isTorn = false;
  #wanted: Wanted[] = [];
  /** Whether the lines that this process writes count, by their writer. */
  readonly #mine: Map<string, boolean> = new Map();
  #isWriting = false;

  constructor(path: string, folder: string) {
    this.#path = path;
    this.#folder = folder;
    this.#appending = new HeldFile(path, constants.O_RDWR | constants.O_APPEND | NO_FOLLOW);
    this.#overwriting = new HeldFile(path, constants.O_WRONLY | NO_FOLLOW);
    this.#state = new TurnState(path);
  }

  /** Nobody waits for it: it can be forgotten. */
  get isIdle(): boolean {
    return !this.#isWriting && this.#wanted.length === 0;
  }

  /** Closes its files. Only while it is idle. */
  close(): void {
    this.#appending.close();
    this.#overwriting.close();
  }

  /** The turn with all that was written by now, if there is one; the last of it may not be on the disk yet. */
  look(): TurnState | undefined {
    const file = this.#openToRead();
    if (file === undefined) return undefined;
    try {
      this.#catchUp(file);
    } finally {
      closeSync(file);
    }
    return this.#state.opener === undefined ? undefined : this.#state;
  }

  /** The turn, if there is one, once no loss of power can take back what it says. */
  async read(): Promise<TurnRecord | undefined> {
    const file = this.#openToRead();
    if (file === undefined) return undefined;
    try {
      this.#catchUp(file);
      const turn = this.#state.turn();
      await this.#flushSeen(file);
      return turn;
    } finally {
      closeSync(file);
    }
  }

  /** Opens the turn. Answers `false` if it is there already. */
  async open(turn: TurnRecord): Promise<boolean> {
    const file = openSync(this.#path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW, 0o600);
    try {
      this.#catchUp(file);
      if (this.#state.opener !== undefined) return false;
      const writer = randomUUID();
      await this.#append(file, openingLines(turn, writer, new Date().toISOString(), this.#isTorn));
      await flushFolder(this.#folder);
      return this.#state.opener === writer;
    } finally {
      closeSync(file);
    }
  }

  advance(callId: string, from: ExpectedCall, to: CallStatus, patch: CallPatch): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#wanted.push({ callId, from, to, patch, resolve, reject });
      if (this.#isWriting) return;
      this.#isWriting = true;
      // What is wanted in the same moment is written together.
      setImmediate(() => void this.#writeAll());
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#wanted.length > 0) {
      const wanted = this.#wanted;
      this.#wanted = [];
      try {
        const won = await this.#write(wanted);
        wanted.forEach(({ resolve }, index) => resolve(won[index] === true));
      } catch (error) {
        this.close();
        this.#forget();
        this.#mine.clear();
        for (const { reject } of wanted) reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** Stores what can be stored of some changes. Answers which of them won. */
  async #write(wanted: readonly Wanted[]): Promise<readonly boolean[]> {
    let file: number;
    try {
      file = this.#appending.take();
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      this.#forget();
      return wanted.map(() => false);
    }
    try {
      const won = wanted.map(() => false);
      // An expected state may come again: who loses against another process tries once more.
      for (let open = wanted.map((_, index) => index); open.length > 0;) {
        this.#catchUp(file);
        const entries = this.#entriesFor(wanted, open);
        if (entries.size === 0) break;
        const lines = [...entries.values()].map((entry, index) => changeLine(entry, this.#isTorn && index === 0));
        for (const { writer } of entries.values()) this.#mine.set(writer, false);
        await this.#append(file, lines.join(""));
        open = [];
        for (const [index, { writer }] of entries) {
          if (this.#mine.get(writer) === true) won[index] = true;
          else open.push(index);
        }
        this.#mine.clear();
      }
      return won;
    } finally {
      this.#appending.release();
    }
  }

  /** The entries of the changes that fit, each after those before it. */
  #entriesFor(wanted: readonly Wanted[], open: readonly number[]): ReadonlyMap<number, ChangedEntry> {
    const entries = new Map<number, ChangedEntry>();
    const changed = new Map<string, { readonly state: CallStatus; readonly version: number }>();
    const at = new Date().toISOString();
    for (const index of open) {
      const { callId, from, to, patch } = wanted[index] as Wanted;
      const call = changed.get(callId) ?? this.#state.call(callId);
      if (call === undefined || !isAsExpected(call, from)) continue;
      const { version } = call;
      entries.set(index, { kind: "changed", writer: randomUUID(), callId, version, to, patch, at });
      changed.set(callId, { state: to, version: version + 1 });
    }
    return entries;
  }

  /** Appends lines and takes in what the file then says; flushed once it resolves. */
  async #append(file: number, text: string): Promise<void> {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    // One append: what several processes write never mixes.
    const written = writeSync(file, bytes);
    if (written < bytes.length) throw new Error(`${this.#path} could not be written: the disk may be full.`);
    const end = this.#end + bytes.length;
    const flushed = flush(file);
    try {
      // While the disk works.
      this.#catchUp(file, bytes);
    } finally {
      await flushed;
    }
    this.#flushed = Math.max(this.#flushed, end);
    await this.#flushSeen(file);
  }

  /**
   * Flushes what was read, if others wrote some of it. Then what nobody needs any more is overwritten: earlier, a loss of
   * power could leave a call without its input, and without the line that settles it.
   */
  async #flushSeen(file: number): Promise<void> {
    const [end, known] = [this.#end, this.#file];
    const needless = this.#state.takeNeedless();
    if (end > this.#flushed) {
      await flush(file);
      // Another process created it.
      if (this.#flushed === 0) await flushFolder(this.#folder);
      if (known === this.#file) this.#flushed = Math.max(this.#flushed, end);
    }
    this.#overwrite(needless, known);
  }

  #openToRead(): number | undefined {
    try {
      return openSync(this.#path, FOR_READING | NO_FOLLOW);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      this.#forget();
      return undefined;
    }
  }

  /** Reads what came since; nothing else did if the file grew by just what this process has appended. */
  #catchUp(file: number, appended?: Buffer): void {
    for (let attempt = 0; ; attempt += 1) {
      const { size, ino, mode } = fstatSync(file);
      checkOwn(this.#path, mode);
      if (ino !== this.#file) this.#forget();
      this.#file = ino;
      if (size < this.#end) throw new DamagedStore(this.#path);
      const from = this.#isTorn ? 0 : this.#end;
      if (this.#isTorn) this.#state = new TurnState(this.#path);
      const bytes = appended?.length === size - from ? appended : bytesOf(file, from, size);
      const { lines, end, isTorn } = readLines<Entry>(bytes, from, this.#path);
      for (const line of lines) {
        const counts = this.#state.apply(line);
        if (counts && this.#mine.has(line.entry.writer)) this.#mine.set(line.entry.writer, true);
      }
      this.#end = end;
      this.#isTorn = isTorn;
      try {
        this.#state.assertWhole();
        return;
      } catch (error) {
        // An input may have been overwritten while it was read: then the line that says so has been added by now.
        if (attempt > 0) throw error;
        this.#forget();
      }
    }
  }

  #forget(): void {
    this.#state = new TurnState(this.#path);
    this.#end = 0;
    this.#file = -1;
    this.#flushed = 0;
    this.#isTorn = false;
  }

  /** Overwrites inputs that nobody needs. What cannot be overwritten now will be by whoever reads the turn next. */
  #overwrite(needless: readonly Region[], known: number): void {
    if (needless.length === 0) return;
    try {
      const file = this.#overwriting.take();
      try {
        // Another file may have its name by now.
        if (fstatSync(file).ino !== known) return;
        for (const { start, length } of needless) writeSync(file, Buffer.alloc(length, " "), 0, length, start);
      } finally {
        this.#overwriting.release();
      }
    } catch {
      // The disk may be read-only.
    }
  }
}

function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const count = readSync(file, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}
