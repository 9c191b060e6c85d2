import { createHash } from "node:crypto";
import type { AuditRecord } from "@hasp/runtime/call-store";
import { type JsonObject, type JsonValue, canonicalText, isObject } from "@hasp/base/json";
import { printVisibleJson } from "@hasp/base/diagnostics";

interface RecordSelection {
  /** Tools' own names, or the names that the model used. */
  readonly tool?: readonly string[] | undefined;
  readonly principal?: readonly string[] | undefined;
  readonly decision?: readonly string[] | undefined;
  readonly since?: string | undefined;
}

/**
 * Selects records in order. Filters by tool and principal select whole calls, since only one record of a call names
 * them.
 */
export function selectRecords(
  records: readonly AuditRecord[],
  { tool, principal, decision, since = "" }: RecordSelection,
): readonly AuditRecord[] {
  const isOfTool = callsWith(records, ({ toolName = "" }) => tool?.includes(toolName) !== false);
  const isForPrincipal = callsWith(records, (record) => principal?.includes(record.principal ?? "") !== false);
  return records.filter(
    (record) =>
      record.at >= since &&
      isOfTool(record) &&
      isForPrincipal(record) &&
      (decision === undefined || (decision.includes(record.to) && record.from !== record.to)),
  );
}

function callsWith(
  records: readonly AuditRecord[],
  fits: (record: AuditRecord) => boolean,
): (record: AuditRecord) => boolean {
  const keyOf = ({ turnId, callId }: AuditRecord): string => JSON.stringify([turnId, callId]);
  const found = new Set(records.filter(fits).map(keyOf));
  return (record) => found.has(keyOf(record));
}

const NOTHING: string = "0".repeat(64);

/** A fault in a line, counted from 1, or at the end of the file. */
export type ChainFault =
  | { readonly kind: "not-a-record" | "changed" | "gap"; readonly line: number }
  | { readonly kind: "empty" | "end" };

/** Records as JSON lines, each with the digest of the previous line, and the digest of the last one. */
interface AuditChain {
  readonly text: string;
  readonly head: string;
}

/** Chains records, so that a changed, removed, inserted or moved line is detected. */
export function chainRecords(records: readonly AuditRecord[]): AuditChain {
  let head = NOTHING;
  const lines = records.map((record) => {
    const chained = { ...record, previous: head };
    head = digestOf(chained as unknown as JsonObject);
    return printVisibleJson({ ...chained, digest: head }, 0);
  });
  return { text: lines.join(""), head };
}

/**
 * Reports every line that differs from what `chainRecords` made. `head`, the digest of the last record if kept
 * elsewhere, also reveals a rewritten text or a missing end.
 */
export function findChainFaults(text: string, head?: string): readonly ChainFault[] {
  const faults: ChainFault[] = [];
  let previous: unknown = NOTHING;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, source] of lines.entries()) {
    const line = index + 1;
    const { digest, ...record } = parse(source) ?? {};
    if (typeof digest !== "string") {
      faults.push({ kind: "not-a-record", line });
      previous = undefined;
      continue;
    }
    if (digest !== digestOf(record)) faults.push({ kind: "changed", line });
    // An unreadable line is one fault; do not report the next line too.
    if (previous !== undefined && record["previous"] !== previous) faults.push({ kind: "gap", line });
    previous = digest;
  }
  if (lines.length === 0) faults.push({ kind: "empty" });
  else if (head !== undefined && head !== previous) faults.push({ kind: "end" });
  return faults;
}

/** Parses a line; `undefined` if it repeats a key or is not in canonical form. */
function parse(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isObject(value) && printVisibleJson(value, 0) === `${line}\n` ? value : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(record: JsonObject): string {
  return createHash("sha256").update(canonicalText(record)).digest("hex");
}
