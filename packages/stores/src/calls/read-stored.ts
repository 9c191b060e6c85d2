import {
  type AuditRecord,
  type CallRecord,
  type CallStatus,
  type DamageOptions,
  type LabelEntry,
  type TurnRecord,
  DamagedStore,
} from "@hasp/runtime/call-store";
import { isLabelEntry } from "@hasp/runtime/internal";

const STATES: { readonly [State in CallStatus]: true } = {
  proposed: true,
  asked: true,
  allowed: true,
  denied: true,
  expired: true,
  reserved: true,
  settled: true,
};

/** Reads stored items. Leaves damaged ones out if `onDamage` is set. */
export function readEach<Stored, Value>(
  stored: Iterable<Stored>,
  read: (stored: Stored) => Value,
  { onDamage }: DamageOptions,
): readonly Value[] {
  const found: Value[] = [];
  for (const each of stored) {
    try {
      found.push(read(each));
    } catch (error) {
      if (onDamage === undefined || !(error instanceof Error)) throw error;
      onDamage(error);
    }
  }
  return found;
}

/** Reads a stored call from its JSON. Throws {@link DamagedStore} unless it is the one filed here. */
export function readCall(
  text: unknown,
  filed: Pick<CallRecord, "turnId" | "callId" | "state" | "version">,
): CallRecord {
  const record = parsed<CallRecord>(text);
  const { turnId, callId, toolName, state, version, received } = record;
  const isWhole =
    isText(turnId) &&
    isText(callId) &&
    isText(toolName) &&
    Object.hasOwn(STATES, String(state)) &&
    Number.isSafeInteger(version) &&
    isText(received?.id) &&
    isText(received.name);
  const isAsFiled = Object.entries(filed).every(([part, value]) => record[part as keyof CallRecord] === value);
  if (isWhole && isAsFiled) return record;
  throw new DamagedStore(`call ${quoted(filed.callId)} of turn ${quoted(filed.turnId)}`);
}

/** Reads a turn record without its calls. Throws {@link DamagedStore} if malformed or of another turn. */
export function readTurn(text: unknown, filedAs: string): Omit<TurnRecord, "calls"> {
  const turn = parsed<Omit<TurnRecord, "calls">>(text);
  if (turn.turnId === filedAs && isText(turn.callsDigest) && isText(turn.openedAt)) return turn;
  throw new DamagedStore(`turn ${quoted(filedAs)}`);
}

/** Reads a stored record from its JSON. Throws {@link DamagedStore} if malformed or of another turn. */
export function readRecord(text: unknown, turnId: string): AuditRecord {
  const record = parsed<AuditRecord>(text);
  const { callId, toolName, to, at } = record;
  if (record.turnId === turnId && [callId, toolName, to, at].every(isText)) return record;
  throw new DamagedStore(`a record of turn ${quoted(turnId)}`);
}

/** Prints a label as one line, the same for equal labels. */
export function printLabel({ label, callId, toolName, turnId }: LabelEntry): string {
  return JSON.stringify({ label, callId, toolName, turnId });
}

/** Reads a label from its line. Throws {@link DamagedStore} if malformed: a lost label would let a call go unasked. */
export function readLabel(text: unknown, conversation: string): LabelEntry {
  const entry: unknown = parsed<LabelEntry>(text);
  if (isLabelEntry(entry)) return entry;
  throw new DamagedStore(`a label of conversation ${quoted(conversation)}`);
}

/** Refuses a store that another version of hasp wrote: guessing its meaning could run a call twice. */
export function checkLayout(found: unknown, known: number, where: string): void {
  if (found === known) return;
  const remedy = typeof found === "number" && found > known ? " Update @hasp/stores in this process." : "";
  throw new Error(
    `The call store ${where} has layout ${String(found)}, and this version of @hasp/stores knows layout ${known}.${remedy}`,
  );
}

function parsed<Value extends object>(text: unknown): Partial<Value> & Value {
  try {
    return Object(JSON.parse(String(text))) as Value;
  } catch {
    return {} as Value;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function quoted(id: unknown): string {
  return JSON.stringify(String(id).slice(0, 80));
}
