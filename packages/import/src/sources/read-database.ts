import { groupBy, indexBy } from "@hasp/base/json";
import { printThrown } from "@hasp/base/diagnostics";
import type { Catalogue, ColumnType, Relation, TableColumn } from "../importers/sql/catalogue.js";
import { parseSource } from "@hasp/compiler/source";
import type { ReadSource } from "../importers/source/importer.js";
import { createConnection, type DatabaseClient, isPostgresAddress, loadPg, hidePassword } from "@hasp/project/modules";
import { COLUMNS, CONSTRAINTS, INDEXES, RELATIONS, ROLE, TYPES } from "./catalogue-queries.js";

interface DatabaseRequest {
  readonly root: string;
  readonly variable: string;
  readonly address: string;
  /** Default: the role's search path. */
  readonly schemas?: readonly string[] | undefined;
  readonly writes: boolean;
  readonly seconds: number;
}

export async function readDatabase(request: DatabaseRequest): Promise<ReadSource> {
  const { root, variable, address, seconds } = request;
  if (!isPostgresAddress(address)) {
    return { reason: `${variable} must contain an address that begins with postgres://` };
  }
  const pg = await loadPg(root);
  if (pg === undefined) return { reason: "the package pg is not installed in the project. Run `npm install pg`" };
  let client: DatabaseClient | undefined;
  try {
    client = new pg.Client(createConnection(address, seconds));
    // A broken connection also rejects the running query.
    client.on("error", () => undefined);
    await client.connect();
    const catalogue = await readCatalogue(client, request);
    const uri = `${catalogue.database.replaceAll(/[^\w.-]+/gu, "_")}.tables.json`;
    const text = JSON.stringify(catalogue);
    const sources = new Map([[uri, text]]);
    const { value: document, diagnostics } = parseSource({ uri, text, role: "shared" });
    if (document === undefined) return { diagnostics, sources };
    return { source: { name: catalogue.database, document, documents: new Map([[uri, document]]) }, sources };
  } catch (error) {
    return { reason: hidePassword(printThrown(error), address).replace(/\.$/u, "") };
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function readCatalogue(
  client: DatabaseClient,
  { variable, schemas: named, writes }: DatabaseRequest,
): Promise<Catalogue> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const rows = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    (await client.query(text, values)).rows as readonly Row[];
  const [role] = await rows<RoleRow>(ROLE);
  if (role === undefined) throw new Error("the server does not say who is connected");
  const schemas = named ?? role.searched;
  const [relations, columns, types, indexes, constraints] = [
    await rows<RelationRow>(RELATIONS, [schemas]),
    await rows<ColumnRow>(COLUMNS, [schemas]),
    await rows<TypeRow>(TYPES),
    await rows<IndexRow>(INDEXES, [schemas]),
    await rows<ConstraintRow>(CONSTRAINTS, [schemas]),
  ];
  await client.query("COMMIT");
  const columnsOf = groupBy(columns, ({ relation }) => relation);
  const indexesOf = groupBy(indexes, ({ relation }) => relation);
  const constraintsOf = groupBy(constraints, ({ relation, column }) => `${relation} ${column}`);
  return {
    database: role.database,
    role: role.role,
    isPrivileged: role.isPrivileged === true,
    variable,
    writes,
    schemas,
    usable: role.usable ?? [],
    relations: relations.map(({ id, ...relation }) => {
      const own = columnsOf.get(id) ?? [];
      return {
        ...relation,
        columns: own.map((column) => columnOf(column, constraintsOf.get(`${id} ${column.number}`) ?? [])),
        ...keysOf(own, indexesOf.get(id) ?? []),
      };
    }),
    types: typesOf(types, columns),
  };
}

function columnOf(
  { relation: _relation, number: _number, ...column }: ColumnRow,
  constraints: readonly ConstraintRow[],
): TableColumn {
  const lists = constraints.flatMap(({ definition }) => allowedTexts(definition ?? ""));
  const target = constraints.find((constraint) => constraint.target !== null)?.target ?? null;
  return { ...column, allowed: lists.length === 1 ? (lists[0] ?? null) : null, references: target };
}

function keysOf(columns: readonly ColumnRow[], indexes: readonly IndexRow[]): Pick<Relation, "key" | "indexed"> {
  const byNumber = indexBy(columns, ({ number }) => number);
  const keyed = indexes.map(({ isUnique, columns: numbers, count }) => ({
    isUnique,
    columns: numbers.slice(0, count).map((number) => byNumber.get(number)),
  }));
  const key = keyed.find(
    ({ isUnique, columns: found }) => isUnique && found.every((column) => column !== undefined && !column.isNullable),
  );
  const first = keyed.flatMap(({ columns: [column] }) => (column === undefined ? [] : [column.name]));
  return { key: key?.columns.flatMap((column) => column?.name ?? []) ?? [], indexed: [...new Set(first)] };
}

function typesOf(types: readonly TypeRow[], columns: readonly ColumnRow[]): Catalogue["types"] {
  const known = new Map(types.map(({ id, ...type }): [string, ColumnType] => [id, type]));
  const reached = new Set(columns.map(({ type }) => type));
  for (const id of reached) {
    const { base, items } = known.get(id) ?? {};
    for (const next of [base, items]) if (next != null) reached.add(next);
  }
  return Object.fromEntries(
    [...reached].toSorted().flatMap((id): [string, ColumnType][] => {
      const type = known.get(id);
      return type === undefined ? [] : [[id, type]];
    }),
  );
}

interface RoleRow {
  readonly database: string;
  readonly role: string;
  readonly isPrivileged: boolean | null;
  readonly searched: readonly string[];
  readonly usable: readonly string[] | null;
}

type RelationRow = Omit<Relation, "columns" | "key" | "indexed"> & { readonly id: string };

type ColumnRow = Omit<TableColumn, "allowed" | "references"> & { readonly relation: string; readonly number: number };

type TypeRow = ColumnType & { readonly id: string };

interface IndexRow {
  readonly relation: string;
  readonly isUnique: boolean;
  readonly columns: readonly number[];
  readonly count: number;
}

interface ConstraintRow {
  readonly relation: string;
  readonly column: number;
  readonly definition: string | null;
  readonly target: string | null;
}

/** A check of one column against a list of texts, as Postgres prints it. */
const LIST =
  /^CHECK \(\(+(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)\)?(?:::text)? = ANY \(\(?ARRAY\[(?<items>(?:'(?:[^']|'')*'::(?:text|character varying|bpchar)(?:, )?)+)\]\)?(?:::text\[\])?\)+$/u;
const ITEM = /'((?:[^']|'')*)'?/gu;

/** Returns the only list of texts that a check allows, or none. */
function allowedTexts(definition: string): readonly (readonly string[])[] {
  const items = LIST.exec(definition)?.groups?.["items"];
  return items === undefined ? [] : [Array.from(items.matchAll(ITEM), ([, text = ""]) => text.replaceAll("''", "'"))];
}
