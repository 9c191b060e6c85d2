import { randomUUID } from "node:crypto";
import { closeSync, constants, fdatasync, fstatSync, openSync, type Stats, writeSync } from "node:fs";
import { promisify } from "node:util";
import {
  type CallPatch,
  type CallStatus,
  DamagedStore,
  type ExpectedCall,
  type TurnRecord,
} from "@hasp/runtime/call-store";
import { isAsExpected } from "../../calls/transition.js";
import { checkOwn, flushFolder, HeldFile, ONLY_FILES, openToRead, readBytes, readCode } from "./private-files.js";
import { readLines } from "./journal-line.js";
import { printChange, printOpening, JournalTurn, type ChangedEntry, type JournalEntry } from "./journal-turn.js";

const flush = promisify(fdatasync);

interface Wanted {
  readonly callId: string;
  readonly from: ExpectedCall;
  readonly to: CallStatus;
  readonly patch: CallPatch;
  readonly resolve: (won: boolean) => void;
  readonly reject: (error: unknown) => void;
}

interface OnDisk {
  end: number;
  isNamed: boolean;
}

/**
 * The journal of one turn: a file that only grows, one line per change. Each line is a single append, so lines of
 * several processes have one order; a change counts if the lines before it left the call as it expects. Nobody holds a
 * lock, so a killed process leaves none behind.
 */
export class TurnJournal {
  readonly #path: string;
  readonly #folder: string;
  readonly #appending: HeldFile;
  /** Separate from the appending file, which writes at the end regardless of the position. */
  readonly #overwriting: HeldFile;
  #state: JournalTurn;
  #end = 0;
  /** The file that was read: another one may get its name, and even its number. */
  #file: string | undefined;
  #onDisk: OnDisk = { end: 0, isNamed: false };
  #isTorn = false;
  #wanted: Wanted[] = [];
  readonly #mine: Map<string, boolean> = new Map();
  #isWriting = false;

  constructor(path: string, folder: string) {
    this.#path = path;
    this.#folder = folder;
    this.#appending = new HeldFile(path, constants.O_RDWR | constants.O_APPEND | ONLY_FILES);
    this.#overwriting = new HeldFile(path, constants.O_WRONLY | ONLY_FILES);
    this.#state = new JournalTurn(path);
  }

  get isIdle(): boolean {
    return !this.#isWriting && this.#wanted.length === 0;
  }

  close(): void {
    this.#appending.close();
    this.#overwriting.close();
  }

  /**
   * Reads the turn; `undefined` if there is none. Flushes changes of other processes first, since nobody may act on
   * what a power cut could undo.
   */
  async read(): Promise<TurnRecord | undefined> {
    const file = openToRead(this.#path);
    try {
      const turn = this.#stateIn(file)?.turn();
      if (file === undefined || turn === undefined) return undefined;
      await this.#flush(file, this.#end);
      this.#overwriteNeedless();
      return turn;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Reads the turn to show it, not to act on it: it may not be flushed. */
  look(): JournalTurn | undefined {
    const file = openToRead(this.#path);
    try {
      return this.#stateIn(file);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Opens the turn, which the first change of a call flushes. Returns `false` if it exists already. */
  open(turn: TurnRecord): boolean {
    const file = openSync(this.#path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | ONLY_FILES, 0o600);
    try {
      this.#catchUp(file);
      if (this.#state.opener !== undefined) return false;
      const writer = randomUUID();
      const lines = printOpening(turn, writer, new Date().toISOString(), this.#isTorn);
      this.#catchUp(file, this.#append(file, lines));
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
      // Changes requested in the same moment are written together.
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
    // If somebody waits for the next flush, that writes these places, too.
    setImmediate(() => {
      if (this.isIdle) this.#overwriteNeedless();
    });
  }

  async #write(wanted: readonly Wanted[]): Promise<readonly boolean[]> {
    let file: number;
    try {
      file = this.#appending.take();
    } catch (error) {
      if (readCode(error) !== "ENOENT") throw error;
      this.#forget();
      return wanted.map(() => false);
    }
    try {
      const won = wanted.map(() => false);
      // An expected state may come again: after losing to another process, try once more.
      for (let open = wanted.map((_, index) => index); open.length > 0;) {
        this.#catchUp(file);
        const entries = this.#entriesFor(wanted, open);
        if (entries.size === 0) break;
        const lines = [...entries.values()].map((entry, index) => printChange(entry, this.#isTorn && index === 0));
        for (const { writer } of entries.values()) this.#mine.set(writer, false);
        const appended = this.#append(file, lines.join(""));
        const flushed = this.#flush(file, this.#end + appended.length);
        try {
          this.#catchUp(file, appended);
        } finally {
          await flushed;
        }
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
      if (this.#state.isOver) this.#overwriteNeedless();
    }
  }

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

  /** Appends lines. Returns their bytes, which may not be on disk yet. */
  #append(file: number, text: string): Buffer {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    // One append: lines of several processes never mix.
    const written = writeSync(file, bytes);
    if (written < bytes.length) throw new Error(`${this.#path} could not be written: the disk may be full.`);
    return bytes;
  }

  async #flush(file: number, end: number): Promise<void> {
    const onDisk = this.#onDisk;
    const { isNamed } = onDisk;
    if (onDisk.end >= end && isNamed) return;
    await Promise.all([flush(file), isNamed ? undefined : flushFolder(this.#folder)]);
    onDisk.end = Math.max(onDisk.end, end);
    onDisk.isNamed = true;
  }

  #stateIn(file: number | undefined): JournalTurn | undefined {
    if (file === undefined) this.#forget();
    else this.#catchUp(file);
    return this.#state.opener === undefined ? undefined : this.#state;
  }

  /** Reads new lines. Only our own are new if the file grew by exactly what this process has appended. */
  #catchUp(file: number, appended?: Buffer): void {
    for (let attempt = 0; ; attempt += 1) {
      const stats = fstatSync(file);
      checkOwn(this.#path, stats);
      const { size } = stats;
      const found = identify(stats);
      if (found !== this.#file) this.#forget();
      this.#file = found;
      if (size < this.#end) throw new DamagedStore(this.#path);
      const from = this.#isTorn ? 0 : this.#end;
      if (this.#isTorn) this.#state = new JournalTurn(this.#path);
      const bytes = appended?.length === size - from ? appended : readBytes(file, from, size);
      const { lines, end, isTorn } = readLines<JournalEntry>(bytes, from, this.#path);
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
        // If the input was erased while we read it, a later line says so.
        if (attempt > 0) throw error;
        this.#forget();
      }
    }
  }

  #forget(): void {
    this.#state = new JournalTurn(this.#path);
    this.#end = 0;
    this.#file = undefined;
    this.#isTorn = false;
    this.#onDisk = { end: 0, isNamed: false };
  }

  /** Overwrites inputs that nobody needs. The next reader of the turn overwrites the rest. */
  #overwriteNeedless(): void {
    const needless = this.#state.takeNeedless(this.#onDisk.end);
    if (needless.length === 0) return;
    try {
      const file = this.#overwriting.take();
      try {
        // Another file may have its name by now.
        if (identify(fstatSync(file)) !== this.#file) return;
        for (const { start, length } of needless) writeSync(file, Buffer.alloc(length, " "), 0, length, start);
      } finally {
        this.#overwriting.release();
      }
    } catch {
      // The disk may be read-only.
    }
  }
}

/** Tells files apart: disks give the number of a removed file to a new one. */
function identify({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`;
}
