import type { AuditRecord, CallRecord, CallStore, Question, TurnRecord } from "../calls/call-store.js";
import { advanced, auditOf, isAsExpected, proposedRecord } from "../calls/transition.js";

/** What runs statements: a `Pool` or a connected `Client` of `pg`, or anything else with this method. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): PromiseLike<unknown>;
}

/** The version of the tables below. A store refuses those of a newer one. */
const LAYOUT = 1;

/**
 * The tables. Records are JSON in columns of text: `jsonb` could hold neither every string nor every number. The lock
 * keeps processes that start together from creating the same table twice.
 */
const TABLES = `do $hasp$ begin
  perform pg_advisory_xact_lock(5064857201);
  create table if not exists hasp_layout (layout integer not null);
  insert into hasp_layout select ${LAYOUT} where not exists (select from hasp_layout);
  create table if not exists hasp_turns (turn_id text primary key, record text not null);
  create table if not exists hasp_calls (
    turn_id text not null references hasp_turns on delete cascade,
    call_id text not null,
    position integer not null,
    state text not null,
    version integer not null,
    record text not null,
    question_id text,
    primary key (turn_id, call_id)
  );
  create index if not exists hasp_calls_question on hasp_calls (question_id) where question_id is not null;
  create index if not exists hasp_calls_open on hasp_calls (state) where state = 'asked';
  create table if not exists hasp_audit (
    number bigint generated always as identity primary key,
    turn_id text not null,
    at text not null,
    record text not null
  );
  create index if not exists hasp_audit_turn on hasp_audit (turn_id, number);
  create index if not exists hasp_audit_at on hasp_audit (at);
end $hasp$`;

const OPEN = `with opened as (
  insert into hasp_turns (turn_id, record) values ($1, $2) on conflict do nothing returning turn_id
), calls as (
  insert into hasp_calls (turn_id, call_id, position, state, version, record)
  select turn_id, call_id, position, state, version, record
  from opened, unnest($3::text[], $4::integer[], $5::text[], $6::integer[], $7::text[])
    as given (call_id, position, state, version, record)
), audit as (
  insert into hasp_audit (turn_id, at, record)
  select turn_id, at, record from opened, unnest($8::text[], $9::text[]) with ordinality as given (at, record, number)
  order by number
) select turn_id from opened`;

const ADVANCE = `with changed as (
  update hasp_calls set state = $5, version = version + 1, record = $6, question_id = $7
  where turn_id = $1 and call_id = $2 and state = $3 and version = $4 returning turn_id
), audit as (
  insert into hasp_audit (turn_id, at, record) select turn_id, $8, $9 from changed where $9::text is not null
) select turn_id from changed`;

/**
 * Creates a call store in a Postgres database, for any number of machines. `setUp` creates four tables, whose names begin
 * with `hasp_`, in the first schema of the connection's search path. Each change is one statement, and so one
 * transaction: no connection is held in between. A turn is removed by deleting its row of `hasp_turns`, which keeps its
 * audit records.
 */
export function postgresCallStore(pool: PostgresPool): CallStore {
  async function rows(
    text: string,
    values: unknown[] = [],
  ): Promise<readonly { readonly [column: string]: unknown }[]> {
    return ((await pool.query(text, values)) as { readonly rows: readonly { readonly [column: string]: unknown }[] })
      .rows;
  }
  async function records<Value>(text: string, values: unknown[] = []): Promise<Value[]> {
    return (await rows(text, values)).map(({ record }) => JSON.parse(record as string) as Value);
  }

  return Object.freeze({
    async setUp() {
      await pool.query(TABLES);
      const [row] = await rows("select layout from hasp_layout");
      if (row?.["layout"] !== LAYOUT) {
        throw new Error(
          `The call store has layout ${String(row?.["layout"])}, and this version of @hasp/runtime knows layout ${LAYOUT}.`,
        );
      }
    },

    async open({ calls, ...turn }: TurnRecord) {
      const audit = calls.map((call) => proposedRecord(call, turn.principal));
      const opened = await rows(OPEN, [
        turn.turnId,
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
      const [turn] = await records<Omit<TurnRecord, "calls">>("select record from hasp_turns where turn_id = $1", [
        turnId,
      ]);
      if (turn === undefined) return undefined;
      const calls = await records<CallRecord>("select record from hasp_calls where turn_id = $1 order by position", [
        turnId,
      ]);
      return { ...turn, calls };
    },

    async advance(turnId, callId, from, to, patch) {
      // An expected state may come again: who loses against another change of the same state tries once more.
      for (;;) {
        const [before] = await records<CallRecord>(
          "select record from hasp_calls where turn_id = $1 and call_id = $2",
          [turnId, callId],
        );
        if (before === undefined || !isAsExpected(before, from)) return false;
        const after = advanced(before, to, patch);
        const audit = auditOf(before, after, patch);
        const changed = await rows(ADVANCE, [
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
      }
    },

    async questions({ id, turnId, toolName, principal, isOpen }) {
      const calls = await records<CallRecord & { readonly question: Question }>(
        `select record from hasp_calls where question_id is not null
          and ($1::text is null or question_id = $1)
          and ($2::text is null or turn_id = $2)
          and ($3::boolean is not true or state = 'asked')`,
        [id ?? null, turnId ?? null, isOpen ?? null],
      );
      return calls
        .map(({ question }) => question)
        .filter((question) => toolName === undefined || question.toolName === toolName)
        .filter((question) => principal === undefined || question.principal === principal)
        .toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : a.askedAt > b.askedAt ? 1 : 0));
    },

    async records({ turnId, since }) {
      return records<AuditRecord>(
        `select record from hasp_audit
          where ($1::text is null or turn_id = $1) and ($2::text is null or at >= $2 collate "C") order by number`,
        [turnId ?? null, since ?? null],
      );
    },
  } satisfies CallStore);
}
