import { dropUndefined } from "@hasp/base/json";
import type {
  AuditRecord,
  CallPatch,
  CallRecord,
  CallStatus,
  ExpectedCall,
  Question,
  QuestionFilter,
} from "@hasp/runtime/call-store";

/** True if a call matches what a transition expects. */
export function isAsExpected(
  { state, version }: Pick<CallRecord, "state" | "version">,
  expected: ExpectedCall,
): boolean {
  return typeof expected === "string" ? state === expected : state === expected.state && version === expected.version;
}

export function isWhole(expected: ExpectedCall): expected is CallRecord {
  return typeof expected !== "string" && "received" in expected;
}

/** The parts of a call that a patch may change; the type keeps the list complete. */
const PATCHED: { readonly [Part in Exclude<keyof CallPatch, "audit">]-?: true } = {
  toolName: true,
  input: true,
  inputDigest: true,
  toolDigest: true,
  question: true,
  notes: true,
  repeatable: true,
  idempotencyKey: true,
  lease: true,
  edit: true,
  awaited: true,
  awaitedUntil: true,
  completion: true,
  guard: true,
  guardAsks: true,
  answered: true,
  decidedBy: true,
  reason: true,
  result: true,
  order: true,
};

const PATCHED_PARTS: readonly string[] = Object.keys(PATCHED);

export function advanceCall(call: CallRecord, to: CallStatus, patch: CallPatch): CallRecord {
  const { turnId, callId, toolName, version, received } = call;
  const after: Record<string, unknown> = { turnId, callId, toolName, state: to, version: version + 1, received };
  for (const part of PATCHED_PARTS as readonly (keyof typeof PATCHED)[]) {
    const value = patch[part] === undefined ? call[part] : patch[part];
    if (value !== undefined && value !== null) after[part] = value;
  }
  return after as unknown as CallRecord;
}

/** Creates the record of a transition, or `undefined` if it needs none. */
export function createAuditRecord(
  before: CallRecord,
  after: CallRecord,
  { audit }: CallPatch,
  at: string = now(),
): AuditRecord | undefined {
  if (audit === undefined && before.state === after.state) return undefined;
  const { turnId, callId, toolName, state } = after;
  return { turnId, callId, toolName, from: before.state, to: state, at, ...audit };
}

export function createProposedRecord(
  { turnId, callId, toolName }: CallRecord,
  principal: string | undefined,
  at: string = now(),
): AuditRecord {
  return { turnId, callId, toolName, to: "proposed", at, ...dropUndefined({ principal }) };
}

function now(): string {
  return new Date().toISOString();
}

export function fitsFilter(
  call: CallRecord,
  filter: QuestionFilter,
): call is CallRecord & { readonly question: Question } {
  const { question } = call;
  return (
    question !== undefined &&
    (filter.isOpen !== true || call.state === "asked") &&
    question.turnId.startsWith(filter.turnPrefix ?? "") &&
    (["id", "turnId", "toolName", "principal"] as const).every(
      (part) => filter[part] === undefined || filter[part] === question[part],
    )
  );
}

export function sortByAge(questions: readonly Question[]): readonly Question[] {
  return questions.toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : a.askedAt > b.askedAt ? 1 : 0));
}
