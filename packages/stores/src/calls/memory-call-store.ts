import { cloneJson, deepFreeze, type JsonValue, isStructured, indexBy } from "@hasp/base/json";
import type { AuditRecord, CallRecord, CallStore, TurnRecord } from "@hasp/runtime/call-store";
import { memoryLabels } from "@hasp/runtime/internal";
import { createSweeper, type RetentionOptions } from "./retention.js";
import {
  advanceCall,
  createAuditRecord,
  fitsFilter,
  isAsExpected,
  sortByAge,
  createProposedRecord,
} from "./transition.js";

interface HeldTurn {
  readonly turn: Omit<TurnRecord, "calls">;
  readonly calls: Map<string, CallRecord>;
}

/** Creates a call store that lasts as long as the process. */
export function memoryCallStore(options: RetentionOptions = {}): CallStore {
  const turns = new Map<string, HeldTurn>();
  let audit: AuditRecord[] = [];
  const clock = isoClock();

  const sweep = createSweeper(options, async (before) => {
    const lively = new Set(audit.filter(({ at }) => at >= before).map(({ turnId }) => turnId));
    for (const [turnId, { calls }] of turns) {
      const isOver = [...calls.values()].every(({ state }) => state === "settled");
      if (isOver && !lively.has(turnId)) turns.delete(turnId);
    }
    audit = audit.filter(({ turnId }) => turns.has(turnId));
  });

  return Object.freeze({
    keepsOrder: true,
    setUp: sweep.now,
    async open(given: TurnRecord) {
      await sweep.ifDue();
      if (turns.has(given.turnId)) return false;
      const { calls, ...turn } = frozen(given);
      turns.set(turn.turnId, { turn, calls: indexBy(calls, ({ callId }) => callId) });
      const at = clock();
      for (const call of calls) audit.push(Object.freeze(createProposedRecord(call, turn.principal, at)));
      return true;
    },
    async read(turnId: string) {
      const stored = turns.get(turnId);
      return stored && Object.freeze({ ...stored.turn, calls: Object.freeze([...stored.calls.values()]) });
    },
    async advance(turnId, callId, from, to, patch) {
      const calls = turns.get(turnId)?.calls;
      const before = calls?.get(callId);
      if (calls === undefined || before === undefined || !isAsExpected(before, from)) return false;
      const after = frozenParts(advanceCall(before, to, patch));
      calls.set(callId, after);
      const record = createAuditRecord(before, after, patch, clock());
      if (record !== undefined) audit.push(Object.freeze(record));
      return true;
    },
    async questions(filter) {
      const calls = [...turns.values()].flatMap((stored) => [...stored.calls.values()]);
      return Object.freeze(
        sortByAge(calls.filter((call) => fitsFilter(call, filter)).map(({ question }) => question as never)),
      );
    },
    ...memoryLabels(),
    async records({ turnId, since = "" }) {
      return Object.freeze(
        audit.filter((record) => (turnId === undefined || record.turnId === turnId) && record.at >= since),
      );
    },
  } satisfies CallStore);
}

function frozen<Value>(value: Value): Value {
  return !isStructured(value) || Object.isFrozen(value) ? value : (deepFreeze(cloneJson(value as JsonValue)) as Value);
}

function frozenParts(call: CallRecord): CallRecord {
  const parts = call as unknown as Record<string, unknown>;
  for (const part in parts) parts[part] = frozen(parts[part]);
  return Object.freeze(call);
}

/** Creates a clock of ISO dates, formatted once per millisecond. */
function isoClock(): () => string {
  let written = Number.NaN;
  let text = "";
  return () => {
    const time = Date.now();
    if (time !== written) text = new Date(time).toISOString();
    written = time;
    return text;
  };
}
