import { printLabel, readCall, readEach, readLabel, readRecord, readTurn } from "../calls/read-stored.js";
import {
  advanceCall,
  createAuditRecord,
  fitsFilter,
  isAsExpected,
  isWhole,
  sortByAge,
  createProposedRecord,
} from "../calls/transition.js";
import { createSweeper, type RetentionOptions } from "../calls/retention.js";
import type { CallRecord, CallStore, TurnRecord } from "@hasp/runtime/call-store";
import { LABEL_DIGEST, type PostgresPool, queryRows, setUpTables } from "./postgres-pool.js";

const OPEN = `with opened as (
  insert into hasp_turns (turn_id, opened_at, record) values ($1, $2, $3) on conflict do nothing returning turn_id
), calls as (
  insert into hasp_calls (turn_id, call_id, position, state, version, record)
  select turn_id, call_id, position, state, version, record
  from opened, unnest($4::text[], $5::integer[], $6::text[], $7::integer[], $8::text[])
    as given (call_id, position, state, version, record)
), audit as (
  insert into hasp_audit (turn_id, at, record)
  select turn_id, at, record from opened, unnest($9::text[], $10::text[]) with ordinality as given (at, record, number)
  order by number
) select turn_id from opened`;

const READ = `select turn.record as turn, call.call_id, call.state, call.version, call.record
  from hasp_turns turn left join hasp_calls call using (turn_id) where turn_id = $1 order by position`;

const READ_CALL = "select call_id, state, version, record from hasp_calls where turn_id = $1 and call_id = $2";

const ADVANCE = `with changed as (
  update hasp_calls set state = $5, version = version + 1, record = $6, question_id = $7
  where turn_id = $1 and call_id = $2 and state = $3 and version = $4 returning turn_id
), audit as (
  insert into hasp_audit (turn_id, at, record) select turn_id, $8, $9 from changed where $9::text is not null
) select turn_id from changed`;

const QUESTIONS = `select turn_id, call_id, state, version, record from hasp_calls where question_id is not null
  and ($1::text is null or question_id = $1)
  and ($2::text is null or turn_id = $2)
  and ($3::boolean is not true or state = 'asked')
  and ($4::text is null or turn_id like $4)`;

const RECORDS = `select turn_id, record from hasp_audit
  where ($1::text is null or turn_id = $1) and ($2::text is null or at >= $2 collate "C") order by number`;

const ADD_LABELS = `insert into hasp_labels (conversation, record, entry)
  select conversation, record, ${LABEL_DIGEST}
  from (select $1::text) as one (conversation), unnest($2::text[]) with ordinality as given (record, number)
  order by number
  on conflict do nothing`;

const LABELS = "select record from hasp_labels where conversation = $1 order by number";

/** Removes turns whose calls are all settled, and about which nothing was recorded since a date. */
const REMOVE_SETTLED = `with gone as (
  delete from hasp_turns turn where opened_at < $1
    and not exists (select from hasp_calls call where call.turn_id = turn.turn_id and state <> 'settled')
    and not exists (select from hasp_audit audit where audit.turn_id = turn.turn_id and at >= $1 collate "C")
  returning turn_id
) delete from hasp_audit using gone where hasp_audit.turn_id = gone.turn_id`;

/**
 * Creates a call store in a Postgres database, for any number of machines. Its tables are in the first schema of the
 * search path. Each change is one statement, and so one transaction: no connection is held in between.
 */
export function postgresCallStore(pool: PostgresPool, options: RetentionOptions = {}): CallStore {
  const sweep = createSweeper(options, async (before) => void (await pool.query(REMOVE_SETTLED, [before])));

  return Object.freeze({
    async setUp() {
      await setUpTables(pool);
      await sweep.now();
    },

    async open({ calls, ...turn }: TurnRecord) {
      await sweep.ifDue();
      const audit = calls.map((call) => createProposedRecord(call, turn.principal));
      const opened = await queryRows(pool, OPEN, [
        turn.turnId,
        turn.openedAt,
        JSON.stringify(turn),
        calls.map(({ callId }) => callId),
        calls.map((_call, position) => position),
        calls.map(({ state }) => state),
        calls.map(({ version }) => version),
        calls.map((call) => JSON.stringify(call)),
        audit.map(({ at }) => at),
        audit.map((record) => JSON.stringify(record)),
      ]);
      return opened.length > 0;
    },

    async read(turnId: string) {
      if (!isStorable(turnId)) return undefined;
      const rows = await queryRows(pool, READ, [turnId]);
      const [first] = rows;
      if (first === undefined) return undefined;
      const calls = rows.filter(({ call_id: callId }) => callId !== null).map((row) => callIn(turnId, row));
      return { ...readTurn(first["turn"], turnId), calls };
    },

    async advance(turnId, callId, from, to, patch) {
      if (!isStorable(turnId) || !isStorable(callId)) return false;
      for (;;) {
        let before: CallRecord;
        if (isWhole(from)) {
          before = from;
        } else {
          const [row] = await queryRows(pool, READ_CALL, [turnId, callId]);
          if (row === undefined) return false;
          before = callIn(turnId, row);
        }
        if (!isAsExpected(before, from)) return false;
        const after = advanceCall(before, to, patch);
        const audit = createAuditRecord(before, after, patch);
        const changed = await queryRows(pool, ADVANCE, [
          turnId,
          callId,
          before.state,
          before.version,
          to,
          JSON.stringify(after),
          after.question?.id ?? null,
          audit?.at ?? null,
          audit === undefined ? null : JSON.stringify(audit),
        ]);
        if (changed.length > 0) return true;
        if (typeof from !== "string") return false;
      }
    },

    async questions(filter) {
      const { id = null, turnId = null, isOpen = null, turnPrefix } = filter;
      if (![id, turnId, turnPrefix].every(isStorable)) return [];
      const like = turnPrefix === undefined ? null : `${turnPrefix.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const rows = await queryRows(pool, QUESTIONS, [id, turnId, isOpen, like]);
      const calls = readEach(rows, (row) => callIn(String(row["turn_id"]), row), filter);
      return sortByAge(calls.filter((call) => fitsFilter(call, filter)).map(({ question }) => question as never));
    },

    async addLabels(conversation, entries) {
      await pool.query(ADD_LABELS, [conversation, entries.map(printLabel)]);
    },

    async labels(conversation) {
      const rows = await queryRows(pool, LABELS, [conversation]);
      return rows.map((row) => readLabel(row["record"], conversation));
    },

    async forget(conversation) {
      await pool.query("delete from hasp_labels where conversation = $1", [conversation]);
    },

    async records({ turnId, since, ...options }) {
      if (!isStorable(turnId)) return [];
      const rows = await queryRows(pool, RECORDS, [turnId ?? null, since ?? null]);
      return readEach(rows, (row) => readRecord(row["record"], String(row["turn_id"])), options);
    },
  } satisfies CallStore);
}

/** False for an id with a NUL, which no text in Postgres holds: it finds nothing, and a query with it would fail. */
function isStorable(id: string | null | undefined): boolean {
  return id?.includes("\0") !== true;
}

function callIn(turnId: string, row: { readonly [column: string]: unknown }): CallRecord {
  const { call_id: callId, state, version, record } = row;
  return readCall(record, { turnId, callId, state, version } as Parameters<typeof readCall>[1]);
}
