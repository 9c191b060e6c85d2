import type {
  AuditRecord,
  CallPatch,
  CallRecord,
  CallStatus,
  ExpectedCall,
  Question,
  QuestionFilter,
} from "./call-store.js";

/** Whether a call is as a transition expects it. */
export function isAsExpected({ state, version }: CallRecord, expected: ExpectedCall): boolean {
  return typeof expected === "string" ? state === expected : state === expected.state && version === expected.version;
}

/** Whether a transition expects one whole record: then the store need not read it. */
export function isWhole(expected: ExpectedCall): expected is CallRecord {
  return typeof expected !== "string" && "received" in expected;
}

/** A call after a transition. */
export function advanced(call: CallRecord, to: CallStatus, { audit: _audit, ...patch }: CallPatch): CallRecord {
  const after: Record<string, unknown> = { ...call, ...patch, state: to, version: call.version + 1 };
  for (const part in patch) if (after[part] === null) delete after[part];
  return after as unknown as CallRecord;
}

/** The record of a transition; `undefined` where nothing is to be recorded. */
export function auditOf(before: CallRecord, after: CallRecord, { audit }: CallPatch): AuditRecord | undefined {
  if (audit === undefined && before.state === after.state) return undefined;
  const { turnId, callId, toolName, state } = after;
  return { turnId, callId, toolName, from: before.state, to: state, at: new Date().toISOString(), ...audit };
}

/** The record that a call was proposed. */
export function proposedRecord({ turnId, callId, toolName }: CallRecord, principal: string | undefined): AuditRecord {
  const at = new Date().toISOString();
  return { turnId, callId, toolName, to: "proposed", at, ...(principal !== undefined && { principal }) };
}

/** Whether a call's question is among those that a filter asks for. */
export function fitsFilter(
  call: CallRecord,
  filter: QuestionFilter,
): call is CallRecord & { readonly question: Question } {
  const { question } = call;
  return (
    question !== undefined &&
    (filter.isOpen !== true || call.state === "asked") &&
    (["id", "turnId", "toolName", "principal"] as const).every(
      (part) => filter[part] === undefined || filter[part] === question[part],
    )
  );
}

/** Oldest first; questions of the same moment keep their order. */
export function oldestFirst(questions: readonly Question[]): readonly Question[] {
  return questions.toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : a.askedAt > b.askedAt ? 1 : 0));
}
