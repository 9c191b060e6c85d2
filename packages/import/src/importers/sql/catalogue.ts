/** The facts about a database that an import needs, read from Postgres's catalogue. */
export interface Catalogue {
  readonly database: string;
  readonly role: string;
  /** True for a superuser, or a role with access to files or programs of the server. */
  readonly isPrivileged: boolean;
  /** The environment variable that holds the database's address. */
  readonly variable: string;
  readonly writes: boolean;
  readonly schemas: readonly string[];
  /** Every schema that the role may use. */
  readonly usable: readonly string[];
  readonly relations: readonly Relation[];
  /** Types by the number that columns name: only enums, domains and others that the user defined. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

/** A table, view, materialized view or foreign table. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
  /** Quoted name with its schema. */
  readonly sql: string;
  readonly kind: "table" | "view";
  readonly comment: string | null;
  /** True if the role may read any of its columns. */
  readonly isReadable: boolean;
  readonly canDelete: boolean;
  /** True if triggers or rules run when it is written to. */
  readonly hasTriggers: boolean;
  readonly columns: readonly TableColumn[];
  /** Columns of the primary key, else of a unique key without NULL; else empty. */
  readonly key: readonly string[];
  /** The first columns of indexes. */
  readonly indexed: readonly string[];
}

export interface TableColumn {
  readonly name: string;
  /** Quoted name. */
  readonly sql: string;
  readonly comment: string | null;
  /** The number of its type in {@link Catalogue.types}. */
  readonly type: string;
  /** The type's modifier, such as the length of a `varchar`; -1 if none. */
  readonly modifier: number;
  readonly isNullable: boolean;
  /** `always` also for a generated column; `default` if it accepts other values. */
  readonly generated: "always" | "default" | null;
  readonly default: string | null;
  /** The values that a check of the form "one of these texts" allows. */
  readonly allowed: readonly string[] | null;
  /** `table.column` of the foreign key. */
  readonly references: string | null;
  readonly canRead: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
}

export interface ColumnType {
  readonly name: string;
  /** True for one of Postgres's own types. */
  readonly isBuiltIn: boolean;
  /** Name without a modifier, as in a cast. */
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
