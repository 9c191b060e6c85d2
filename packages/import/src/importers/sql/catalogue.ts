/**
 * The facts about a database that an import needs: JSON, as `host/sources/database` reads it from Postgres's catalogue.
 */
export interface Catalogue {
  readonly database: string;
  readonly role: string;
  /** True if the role is a superuser, or may access files or programs of the server. */
  readonly isPrivileged: boolean;
  /** The environment variable that holds the database's address. */
  readonly variable: string;
  /** True if tools that write are wanted. */
  readonly writes: boolean;
  /** The schemas that were read. */
  readonly schemas: readonly string[];
  /** Every schema that the role may use. */
  readonly usable: readonly string[];
  readonly relations: readonly Relation[];
  /** Enums, domains and other types that no one else defines, by the number that columns name. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

/** A table, view, materialized view or foreign table. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
  /** Its name with its schema, as a statement writes it. */
  readonly sql: string;
  readonly kind: "table" | "view";
  readonly comment: string | null;
  /** True if the role may read any of its columns. */
  readonly isReadable: boolean;
  readonly canDelete: boolean;
  /** True if triggers or rules run when it is written to. */
  readonly hasTriggers: boolean;
  readonly columns: readonly Column[];
  /** The columns that identify a row: of the primary key, else of a unique one without NULL; empty if there is none. */
  readonly key: readonly string[];
  /** The columns with which an index begins. */
  readonly indexed: readonly string[];
}

/** A column. */
export interface Column {
  readonly name: string;
  /** Its name as a statement writes it. */
  readonly sql: string;
  readonly comment: string | null;
  /** The number of its type in {@link Catalogue.types}. */
  readonly type: string;
  /** The type's modifier, such as the length of a `varchar`; -1 if none. */
  readonly modifier: number;
  readonly isNullable: boolean;
  /** `always` also for a generated column; `default` where a value of one's own is accepted. */
  readonly generated: "always" | "default" | null;
  /** The default as an expression. */
  readonly default: string | null;
  /** The only values that a check allows, where it is a list of texts. */
  readonly allowed: readonly string[] | null;
  /** The column that it refers to, as `table.column`. */
  readonly references: string | null;
  readonly canRead: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
}

/** A type of a column. */
export interface ColumnType {
  readonly name: string;
  /** True for one of Postgres's own types. */
  readonly isBuiltIn: boolean;
  /** Its name without a modifier, as a cast writes it. */
  readonly sql: string;
  /** base, composite, domain, enum, pseudo, range, multirange. */
  readonly kind: string;
  /** Only for a domain: the number of its base type, and that type's modifier. */
  readonly base: string | null;
  readonly baseModifier: number;
  readonly isNotNull: boolean;
  /** Only for an array: the number of its items' type. */
  readonly items: string | null;
  /** Only for an enum. */
  readonly labels: readonly string[] | null;
}
