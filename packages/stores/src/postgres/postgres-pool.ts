import { checkLayout } from "../calls/read-stored.js";

/** A `Pool` or `Client` of `pg`, a PGlite, or another object with this method. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): PromiseLike<unknown>;
}

interface PostgresRow {
  readonly [column: string]: unknown;
}

export async function queryRows(
  pool: PostgresPool,
  text: string,
  values: unknown[] = [],
): Promise<readonly PostgresRow[]> {
  return ((await pool.query(text, values)) as { readonly rows: readonly PostgresRow[] }).rows;
}

/** The digest of a label by its columns. */
export const LABEL_DIGEST = "sha256(convert_to(conversation, 'UTF8')) || sha256(convert_to(record, 'UTF8'))";

/** The layouts, one step each; a released step never changes. Records are text: `jsonb` cannot hold every string. */
const STEPS: readonly string[] = [
  `create table hasp_turns (turn_id text primary key, record text not null);
  create table hasp_calls (
    turn_id text not null references hasp_turns on delete cascade,
    call_id text not null,
    position integer not null,
    state text not null,
    version integer not null,
    record text not null,
    question_id text,
    primary key (turn_id, call_id)
  );
  create index hasp_calls_question on hasp_calls (question_id) where question_id is not null;
  create index hasp_calls_open on hasp_calls (state) where state = 'asked';
  create table hasp_audit (
    number bigint generated always as identity primary key,
    turn_id text not null,
    at text not null,
    record text not null
  );
  create index hasp_audit_turn on hasp_audit (turn_id, number);
  create index hasp_audit_at on hasp_audit (at);`,

  `alter table hasp_turns add column opened_at text collate "C";
  update hasp_turns set opened_at = record::json ->> 'openedAt';
  alter table hasp_turns alter column opened_at set not null;
  create index hasp_turns_opened on hasp_turns (opened_at);
  create table hasp_results (
    reference text primary key,
    stored_at timestamptz not null default now(),
    record text not null
  );
  create index hasp_results_stored on hasp_results (stored_at);`,

  `create table hasp_labels (
    number bigint generated always as identity,
    conversation text not null,
    record text not null,
    primary key (conversation, record)
  );`,

  // An index of texts refuses those of more than 2.6 kB. Processes of an earlier version may still add rows, without `entry`.
  `alter table hasp_labels drop constraint hasp_labels_pkey, add column entry bytea unique;
  update hasp_labels set entry = ${LABEL_DIGEST};
  create index hasp_labels_conversation on hasp_labels using hash (conversation);`,

  "create index if not exists hasp_calls_asked on hasp_calls (turn_id text_pattern_ops) where question_id is not null;",
];

/** One transaction. The lock keeps processes that start together from taking the same step twice. */
const MIGRATE = `do $hasp$ begin
  perform pg_advisory_xact_lock(5064857201);
  create table if not exists hasp_layout (layout integer not null);
  insert into hasp_layout select 0 where not exists (select from hasp_layout);
  ${STEPS.map(
    (step, index) => `if (select layout from hasp_layout) = ${index} then
    ${step}
    update hasp_layout set layout = ${index + 1};
  end if;`,
  ).join("\n  ")}
end $hasp$`;

/**
 * Creates hasp's tables, or updates older ones. If there is nothing to do, it only reads, so a role without the right
 * to create tables is enough. Throws an `Error` for tables of a newer version.
 */
export async function setUpTables(pool: PostgresPool): Promise<void> {
  const [found] = await queryRows(pool, "select to_regclass('hasp_layout') is not null as present");
  if (found?.["present"] !== true || Number(await layoutOf(pool)) < STEPS.length) await pool.query(MIGRATE);
  checkLayout(await layoutOf(pool), STEPS.length, "in this database");
}

async function layoutOf(pool: PostgresPool): Promise<unknown> {
  const [row] = await queryRows(pool, "select layout from hasp_layout");
  return row?.["layout"];
}
