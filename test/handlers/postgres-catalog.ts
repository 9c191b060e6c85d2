import type { Client } from "pg";

/**
 * The functions of Postgres, judged by all of their forms: a name is stable only if each form is. People write
 * `starts_with` although an operator stands for it.
 */
const FUNCTIONS = `
  SELECT proname AS name, bool_or(provolatile = 'v') AS is_volatile
  FROM pg_proc
  WHERE pronamespace = 'pg_catalog'::regnamespace
  GROUP BY proname
  HAVING bool_or(
    prorettype <> ALL ('{internal,cstring,trigger,event_trigger,language_handler,fdw_handler,tsm_handler,table_am_handler,index_am_handler}'::regtype[])
    AND NOT proargtypes::oid[] && '{internal,cstring}'::regtype[]::oid[]
    AND (proname = 'starts_with' OR coalesce(obj_description(oid, 'pg_proc'), '') NOT LIKE 'implementation of %')
  )
  ORDER BY 1`;

const OPERATORS = `
  SELECT DISTINCT oprname AS name FROM pg_operator
  WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprname NOT IN (
    SELECT oprname FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode WHERE p.provolatile = 'v')
  ORDER BY 1`;

/** Types whose input, output and casts are not volatile. */
const TYPES = `
  SELECT typname AS name FROM pg_type t
  WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm') AND typcategory <> 'A'
    AND NOT EXISTS (SELECT FROM pg_proc p WHERE p.provolatile = 'v'
      AND (p.oid IN (typinput, typoutput, typreceive, typsend, typmodin, typmodout)
        OR p.oid IN (SELECT castfunc FROM pg_cast WHERE t.oid IN (castsource, casttarget))))
  ORDER BY 1`;

/** Reads what a server knows of itself, and writes it as the module that lists it. */
export async function catalogModule(client: Client): Promise<string> {
  const names = async (query: string): Promise<readonly string[]> =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  const { rows: functions } = await client.query<{ name: string; is_volatile: boolean }>(FUNCTIONS);
  const { rows: versions } = await client.query<{ server_version: string }>("SHOW server_version");
  const named = (isVolatile: boolean): readonly string[] =>
    functions.filter((each) => each.is_volatile === isVolatile).map(({ name }) => name);
  return `// Written by \`UPDATE=1 pnpm exec vitest run --config test/vitest.config.ts test/handlers/sql-reads.test.ts\` from the
// catalogue of a Postgres server.

export interface PostgresCatalog {
  readonly version: string;
  /** Functions that are immutable or stable in each of their forms. */
  readonly functions: ReadonlySet<string>;
  /** Functions that are volatile in one of their forms. */
  readonly volatileFunctions: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  /** Types whose conversions from and to others are not volatile. */
  readonly types: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\\s+/u));

// prettier-ignore
export const POSTGRES_CATALOG: PostgresCatalog = {
  version: ${JSON.stringify(versions[0]?.server_version)},
  functions: words(\`
${lines(named(false))}
  \`),
  volatileFunctions: words(\`
${lines(named(true))}
  \`),
  operators: words(\`
${lines(await names(OPERATORS))}
  \`),
  types: words(\`
${lines(await names(TYPES))}
  \`),
};
`;
}

function lines(words: readonly string[]): string {
  const folded: string[] = [];
  let line = "   ";
  for (const word of words) {
    if (line.length + word.length > 118) {
      folded.push(line);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...folded, line].join("\n");
}
