import { canonicalText, copyJson, deepFreeze, dropUndefined, escapeToken, sha256 } from "@hasp/base/json";
import type { CallRecord, TurnRecord } from "@hasp/runtime/call-store";
import type { ToolCall } from "@hasp/runtime";

/** Ids that every store can hold unchanged. */
const PLAIN_ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

export function checkTurnId(turnId: unknown): asserts turnId is string {
  if (typeof turnId === "string" && PLAIN_ID.test(turnId)) return;
  throw new TypeError("A turn needs a `turnId` of 1 to 200 characters, none of them a control character.");
}

/** Creates the record of a new turn. Keeps malformed calls so that they are answered; non-JSON throws a `TypeError`. */
export function createTurnRecord(
  turnId: string,
  calls: readonly ToolCall[],
  {
    principal,
    conversation,
    digestKey,
  }: {
    readonly principal: string | undefined;
    readonly conversation: string | undefined;
    readonly digestKey: string | undefined;
  },
): TurnRecord {
  const used = new Set<string>();
  const records = calls.map((call, index): CallRecord => {
    const { id, name, input, dialect, truncated, origin } = Object(call) as {
      readonly [part in keyof ToolCall]: unknown;
    };
    const received = {
      id: typeof id === "string" ? id : "",
      name: typeof name === "string" ? name : "",
      ...(dialect !== undefined && { dialect: String(dialect) }),
      ...(truncated !== undefined && { truncated: truncated !== false }),
      ...(origin !== undefined && { origin: copyJson(origin) as NonNullable<ToolCall["origin"]> }),
    };
    const callId = keyFor(received.id, index, used);
    used.add(callId);
    const kept = input === undefined ? {} : copyJson(input);
    return { turnId, callId, toolName: received.name, state: "proposed", version: 0, received, input: kept };
  });
  const callsDigest = digestOf(records, crypto.randomUUID(), digestKey);
  const openedAt = new Date().toISOString();
  return deepFreeze(dropUndefined({ turnId, callsDigest, principal, conversation, openedAt, calls: records }));
}

/** Returns the id of the turn that keeps a call of a program, such as `turn-1/call-2.3`. No other call has it. */
export function createNestedTurnId(turnId: string, callId: string): string {
  return `${turnId}/${escapeToken(callId)}`;
}

export function readReceivedCall({ received, input }: CallRecord): ToolCall {
  return { ...received, input: input ?? null };
}

/** True if a stored turn has the calls of a turn that was just made. */
export function hasCallsOf(stored: TurnRecord, { calls }: TurnRecord, digestKey: string | undefined): boolean {
  const [salt = "", digest] = stored.callsDigest.split(".");
  // Earlier versions stored it without a salt.
  const now = digest === undefined ? digestUnsalted(calls) : digestOf(calls, salt, digestKey);
  return stored.callsDigest === now;
}

function digestOf(calls: readonly CallRecord[], salt: string, key = ""): string {
  return `${salt}.${sha256(JSON.stringify([key, salt, digestUnsalted(calls)]))}`;
}

function digestUnsalted(calls: readonly CallRecord[]): string {
  const texts = calls.map(({ received: { id, name, dialect, truncated, origin }, input }) => {
    const parts = [id, name, dialect, truncated, ...(origin === undefined ? [] : [origin])];
    return `${canonicalText(parts)}\n${canonicalText(input)}`;
  });
  return sha256(texts.join("\n"));
}

/** Returns the id of a call, or a new one if it is missing, taken, or not a text that every store can hold. */
function keyFor(id: string, index: number, used: ReadonlySet<string>): string {
  if (PLAIN_ID.test(id) && !used.has(id)) return id;
  let key = `call ${index + 1}`;
  while (used.has(key)) key += "'";
  return key;
}
