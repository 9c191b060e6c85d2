export interface Catalogue {
  readonly database: string;
  readonly role: string;
  /** True for a superuser, or a role with access to files or programs of the server. */
  readonly isPrivileged: boolean;
  readonly variable: string;
  readonly writes: boolean;
  readonly schemas: readonly string[];
  readonly usable: readonly string[];
  readonly relations: readonly Relation[];
  /** Types by the number that columns name: only enums, domains and others that the user defined. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

export interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
  readonly kind: "table" | "view";
  readonly comment: string | null;
  readonly isReadable: boolean;
  readonly canDelete: boolean;
  /** True if triggers or rules run when it is written to. */
  readonly hasTriggers: boolean;
  readonly columns: readonly TableColumn[];
  /** Columns of the primary key, else of a unique key without NULL; else empty. */
  readonly key: readonly string[];
  readonly indexed: readonly string[];
}

export interface TableColumn {
  readonly name: string;
  readonly sql: string;
  readonly comment: string | null;
  readonly type: string;
  /** The type's modifier, such as the length of a `varchar`; -1 if none. */
  readonly modifier: number;
  readonly isNullable: boolean;
  /** `always` also for a generated column; `default` if it accepts other values. */
  readonly generated: "always" | "default" | null;
  readonly default: string | null;
  readonly allowed: readonly string[] | null;
  /** `table.column` of the foreign key. */
  readonly references: string | null;
  readonly canRead: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
}

export interface ColumnType {
  readonly name: string;
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
  readonly labels: readonly string[] | null;
}
