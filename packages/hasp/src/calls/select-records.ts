import type { AuditRecord } from "@hasp/runtime";

interface RecordSelection {
  /** A tool's own name, or the name that the model used. */
  readonly tool?: string | undefined;
  readonly principal?: string | undefined;
  readonly decision?: string | undefined;
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

/** Creates a test for records of calls that have a matching record. */
function callsWith(
  records: readonly AuditRecord[],
  fits: (record: AuditRecord) => boolean,
): (record: AuditRecord) => boolean {
  const keyOf = ({ turnId, callId }: AuditRecord): string => JSON.stringify([turnId, callId]);
  const found = new Set(records.filter(fits).map(keyOf));
  return (record) => found.has(keyOf(record));
}
