import type { AuditRecord } from "@hasp/runtime";

/** Limits a list of records; each part that is present must fit. */
interface RecordSelection {
  /** The tool of the call, under its own name or the one that the model used. */
  readonly tool?: string | undefined;
  /** For whom the turn ran. */
  readonly principal?: string | undefined;
  /** The outcome of a question. */
  readonly decision?: string | undefined;
  /** ISO date of the first record. */
  readonly since?: string | undefined;
}

/**
 * The records of a selection, in their order. Tools and principals are those of whole calls: a record that does not
 * repeat them is selected with the others of its call.
 */
export function selectRecords(
  records: readonly AuditRecord[],
  { tool, principal, decision, since = "" }: RecordSelection,
): readonly AuditRecord[] {
  const isOfTool = callsWith(records, (record) => tool === undefined || record.toolName === tool);
  const isForPrincipal = callsWith(records, (record) => principal === undefined || record.principal === principal);
  return records.filter(
    (record) =>
      record.at >= since &&
      isOfTool(record) &&
      isForPrincipal(record) &&
      (decision === undefined || (record.to === decision && record.from !== record.to)),
  );
}

/** Returns a test for records that belong to a call with a fitting record. */
function callsWith(
  records: readonly AuditRecord[],
  fits: (record: AuditRecord) => boolean,
): (record: AuditRecord) => boolean {
  const keyOf = ({ turnId, callId }: AuditRecord): string => JSON.stringify([turnId, callId]);
  const found = new Set(records.filter(fits).map(keyOf));
  return (record) => found.has(keyOf(record));
}
