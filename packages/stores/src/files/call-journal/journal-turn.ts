import { basename } from "node:path";
import {
  type AuditRecord,
  type CallPatch,
  type CallRecord,
  type CallStatus,
  DamagedStore,
  type TurnRecord,
} from "@hasp/runtime/call-store";
import { readCall } from "../../calls/read-stored.js";
import { advanceCall, createAuditRecord, createProposedRecord } from "../../calls/transition.js";
import { deepFreeze } from "@hasp/base/json";
import { digest } from "./private-files.js";
import { encodeLine, type JournalLine, type Region } from "./journal-line.js";

export type JournalEntry = { readonly torn?: boolean } & (OpenedEntry | ProposedEntry | ChangedEntry);

/** A turn begins; `count` lines with its calls follow. */
interface OpenedEntry {
  readonly kind: "opened";
  /** Names the attempt to open it: of several, the first complete one counts. */
  readonly writer: string;
  readonly turn: Omit<TurnRecord, "calls">;
  readonly count: number;
  readonly at: string;
}

interface ProposedEntry {
  readonly kind: "proposed";
  readonly writer: string;
  readonly callId: string;
  readonly call: CallRecord;
}

/** A call changes, if it still has this version: of several, the first counts. */
export interface ChangedEntry {
  readonly kind: "changed";
  readonly writer: string;
  readonly callId: string;
  readonly version: number;
  readonly to: CallStatus;
  readonly patch: CallPatch;
  readonly at: string;
}

interface Secrets {
  readonly input?: NonNullable<CallRecord["input"]>;
  readonly asked?: CallRecord["input"];
  readonly edit?: NonNullable<CallRecord["edit"]>;
  readonly completion?: NonNullable<CallRecord["completion"]>;
  /** The result of a program's call, which goes once the program is settled. */
  readonly result?: NonNullable<CallPatch["result"]> | null;
}

interface JournalCall {
  record: CallRecord;
  secrets: Region[];
}

/** A turn, read from its journal line by line. */
export class JournalTurn {
  readonly audit: AuditRecord[] = [];
  opener: string | undefined;
  readonly #path: string;
  readonly #calls: Map<string, JournalCall> = new Map();
  /** Calls with a private part that was changed though it is needed. */
  readonly #tampered: Set<string> = new Set();
  #turn: Omit<TurnRecord, "calls"> | undefined;
  #opening: { readonly entry: OpenedEntry; readonly calls: Map<string, JournalCall> } | undefined;
  #open = 0;
  /** Private parts that nobody needs any more, and the end of the line that says so. */
  #needless: { readonly region: Region; readonly end: number }[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  turn(): TurnRecord | undefined {
    return this.#turn && { ...this.#turn, calls: [...this.#calls.values()].map(({ record }) => record) };
  }

  get isOver(): boolean {
    return this.#turn !== undefined && this.#open === 0;
  }

  /** Throws {@link DamagedStore} if an input was changed that is still needed. */
  assertWhole(): void {
    for (const callId of this.#tampered) throw new DamagedStore(`${this.#path}, call ${JSON.stringify(callId)}`);
  }

  call(callId: string): CallRecord | undefined {
    return this.#calls.get(callId)?.record;
  }

  apply({ entry, end, secret, secretText, isSecretIntact }: JournalLine<JournalEntry>): boolean {
    const isTampered = !isSecretIntact;
    const secrets = isTampered || secretText === undefined ? undefined : (JSON.parse(secretText) as Secrets);
    const regions = secret === undefined ? [] : [secret];
    switch (entry.kind) {
      case "opened":
        if (this.#turn !== undefined) return false;
        // A copy under another name would be a second turn of the same calls.
        if (basename(this.#path) !== `${digest(entry.turn.turnId)}.jsonl`) throw new DamagedStore(this.#path);
        this.#opening = { entry, calls: new Map() };
        return this.#completeOpening();
      case "proposed": {
        const opening = this.#opening;
        if (opening?.entry.writer !== entry.writer) {
          this.#drop(regions, end);
          return false;
        }
        const record = checked({ ...entry.call, ...(secrets?.input !== undefined && { input: secrets.input }) });
        opening.calls.set(entry.callId, { record: deepFreeze(record), secrets: regions });
        if (isTampered) this.#tampered.add(entry.callId);
        return this.#completeOpening();
      }
      case "changed": {
        const stored = this.#calls.get(entry.callId);
        // An earlier line is missing.
        if (stored === undefined || stored.record.version < entry.version) throw new DamagedStore(this.#path);
        if (stored.record.version > entry.version) {
          this.#drop(regions, end);
          return false;
        }
        this.#change(stored, entry, withSecrets(entry.patch, secrets), end);
        stored.secrets.push(...regions);
        if (isTampered) this.#tampered.add(entry.callId);
        return true;
      }
    }
  }

  /** Takes the private parts that lines up to a position make needless; they count as overwritten. */
  takeNeedless(flushed: number): readonly Region[] {
    const found = this.#needless.filter(({ end }) => end <= flushed);
    if (found.length > 0) this.#needless = this.#needless.filter(({ end }) => end > flushed);
    return found.map(({ region }) => region);
  }

  #drop(regions: readonly Region[], end: number): void {
    for (const region of regions) this.#needless.push({ region, end });
  }

  #completeOpening(): boolean {
    const opening = this.#opening;
    if (opening === undefined || opening.calls.size < opening.entry.count) return false;
    const { turn, writer, at } = opening.entry;
    this.#turn = turn;
    this.opener = writer;
    this.#opening = undefined;
    for (const [callId, stored] of opening.calls) {
      this.#calls.set(callId, stored);
      this.#open += openCount(stored.record);
      this.audit.push(Object.freeze(createProposedRecord(stored.record, turn.principal, at)));
    }
    return true;
  }

  #change(stored: JournalCall, { to, at }: ChangedEntry, patch: CallPatch, end: number): void {
    const before = stored.record;
    stored.record = deepFreeze(advanceCall(before, to, patch));
    const record = createAuditRecord(before, stored.record, patch, at);
    if (record !== undefined) this.audit.push(Object.freeze(record));
    this.#open += openCount(stored.record) - openCount(before);
    if (to !== "settled") return;
    this.#tampered.delete(before.callId);
    this.#drop(stored.secrets, end);
    stored.secrets = [];
  }
}

function openCount({ state }: CallRecord): 0 | 1 {
  return state === "settled" ? 0 : 1;
}

export function printOpening({ calls, ...turn }: TurnRecord, writer: string, at: string, torn: boolean): string {
  const first = { kind: "opened", writer, turn, count: calls.length, at, ...(torn && { torn }) } satisfies JournalEntry;
  const rest = calls.map(({ input, ...call }) => {
    const entry = { kind: "proposed", writer, callId: call.callId, call } satisfies JournalEntry;
    return encodeLine(entry, input === undefined ? undefined : { input });
  });
  return encodeLine(first) + rest.join("");
}

export function printChange(entry: ChangedEntry, torn: boolean): string {
  const { input, edit, completion, question, result, ...open } = entry.patch;
  const isOfProgram = open.order !== undefined;
  const secrets: Secrets = {
    ...(input !== undefined && input !== null && { input }),
    ...(edit !== undefined && edit !== null && { edit }),
    ...(completion !== undefined && completion !== null && { completion }),
    ...(question?.input !== undefined && question.input !== null && { asked: question.input }),
    ...(isOfProgram && { result }),
  };
  const patch: CallPatch = {
    ...open,
    ...(input === null && { input }),
    ...(edit === null && { edit }),
    ...(completion === null && { completion }),
    ...(result !== undefined && !isOfProgram && { result }),
    ...(question !== undefined && { question: question === null ? null : { ...question, input: null } }),
  };
  const whole = { ...entry, patch, ...(torn && { torn }) };
  return encodeLine(whole, Object.keys(secrets).length === 0 ? undefined : secrets);
}

function withSecrets(patch: CallPatch, secrets: Secrets | undefined): CallPatch {
  if (secrets === undefined) return patch;
  const { asked, ...parts } = secrets;
  const { question } = patch;
  return {
    ...patch,
    ...parts,
    ...(asked !== undefined && question && { question: { ...question, input: asked } }),
  };
}

function checked(call: CallRecord): CallRecord {
  const { turnId, callId, state, version } = call;
  return readCall(JSON.stringify(call), { turnId, callId, state, version });
}
