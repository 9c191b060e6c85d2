import type { JsonObject, JsonValue } from "@hasp/schema";

/** A value in a declaration: `input.x`, `context.x.y` or a literal, written `{ literal: "input.x" }` if ambiguous. */
type DeclaredValue = JsonValue;

/** Values that the host fills in, by name: each is `context.<member>`. */
export interface SpecBind {
  readonly [name: string]: string;
}

/** The way in which a tool does its work: exactly one key. */
export interface SpecHandler extends Partial<Omit<Declarations, "plugin">> {
  readonly isolation?: SpecIsolation;
  readonly [kind: `${string}/${string}`]: JsonObject;
}

interface SpecIsolation {
  readonly memoryMb?: number;
  readonly cpuSeconds?: number;
  readonly outputMb?: number;
}

interface Declarations {
  readonly http: SpecHttp;
  readonly sql: SpecSql;
  readonly command: SpecCommand;
  readonly mcp: SpecMcp;
  /** A declaration of any kind that a plugin adds. */
  readonly plugin: JsonObject;
}

export type HandlerKindName = keyof Declarations;

/** A kind that hasp itself knows. */
export type BuiltInKindName = Exclude<HandlerKindName, "plugin">;

export interface SpecHttp {
  readonly connection: string;
  readonly method: string;
  /** With placeholders: `/customers/{customerId}/orders`. */
  readonly path: string;
  /** Values by name; a list of names is short for `{ name: input.name }`. */
  readonly query?: readonly string[] | { readonly [name: string]: DeclaredValue };
  readonly headers?: { readonly [name: string]: DeclaredValue };
  readonly cookies?: { readonly [name: string]: DeclaredValue };
  readonly body?: SpecHttpBody;
  /** The styles of values that differ from OpenAPI's default for their place. */
  readonly parameters?: { readonly [Place in HttpPlace]?: { readonly [name: string]: HttpStyle } };
  /** JSON Pointer of the output in the answer. */
  readonly result?: string;
  readonly pagination?: SpecPagination;
}

export type HttpPlace = "path" | "query" | "headers" | "cookies";

interface HttpStyle {
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly contentType?: string;
}

export type HttpBodyKind = "json" | "form" | "multipart" | "binary";

/** The body of a request: exactly one of the four kinds. */
interface SpecHttpBody extends Partial<Record<HttpBodyKind, DeclaredValue>> {
  readonly mediaType?: string;
  readonly encoding?: { readonly [property: string]: HttpStyle };
}

type SpecPagination = { readonly maxPages: number } & (
  { readonly link: true } | { readonly cursor: { readonly from: string; readonly query: string } }
);

export interface SpecSql {
  readonly connection: string;
  /** With placeholders: `SELECT … WHERE id = $id`. */
  readonly statement: string;
  readonly maxRows?: number;
}

/** A handler that runs one command, never in a shell. */
export interface SpecCommand {
  /** The program and its arguments, with placeholders: `--max-count={limit}`. */
  readonly argv: readonly string[];
  readonly cwd?: DeclaredValue;
  /** Those of `needs.env` whose values results may show. */
  readonly publicEnv?: readonly string[];
  /** Default: 0 alone. */
  readonly okExitCodes?: readonly number[];
  readonly stdout?: "text" | "json" | "lines";
}

export interface SpecMcp {
  readonly connection: string;
  readonly tool: string;
}

/** The connections of a configuration, by name. Each has one key: its kind. */
export interface Connections {
  readonly [name: string]: { readonly [Kind in HandlerKindName]?: JsonObject };
}

/** A handler kind that a plugin adds, as data. */
export interface PluginHandlerKind {
  /** The key under `handler`, such as `acme/queue`. */
  readonly name: string;
  /** One sentence: what a handler of this kind does. */
  readonly summary: string;
  readonly declaration: JsonObject;
  /** The package that generated code imports, such as `@acme/queue` or `@acme/hasp-plugin/queue`. */
  readonly module: string;
  /** The name of the function in it: it receives the declaration, the input and the options of `execute`. */
  readonly export: string;
}

interface PlannedKinds {
  readonly plugins?: readonly { readonly handlerKinds: readonly PluginHandlerKind[] }[];
}

export function listPluginKinds({ plugins = [] }: PlannedKinds): readonly PluginHandlerKind[] {
  return plugins.flatMap(({ handlerKinds }) => handlerKinds);
}

/** Finds the kind of a spec's handler among those that plugins add. */
export function findPluginKind(
  spec: { readonly handler?: SpecHandler },
  plan: PlannedKinds,
): PluginHandlerKind | undefined {
  const key = declarationOf(spec)?.key;
  return listPluginKinds(plan).find(({ name }) => name === key);
}

export type KindedDeclaration<Kind extends HandlerKindName = HandlerKindName> = {
  readonly [Name in Kind]: {
    readonly kind: Name;
    /** The key under `handler`: the kind, or its name in a plugin. */
    readonly key: string;
    readonly declaration: Declarations[Name];
  };
}[Kind];

/** Returns the declaration that a spec has in place of code; `undefined` where the handler is the user's own. */
export function declarationOf({ handler }: { readonly handler?: SpecHandler }): KindedDeclaration | undefined {
  if (handler === undefined) return undefined;
  const { http, sql, command, mcp } = handler;
  if (http !== undefined) return { kind: "http", key: "http", declaration: http };
  if (sql !== undefined) return { kind: "sql", key: "sql", declaration: sql };
  if (command !== undefined) return { kind: "command", key: "command", declaration: command };
  if (mcp !== undefined) return { kind: "mcp", key: "mcp", declaration: mcp };
  const foreign = Object.entries(handler as { readonly [key: string]: JsonObject }).find(
    ([key]) => key !== "isolation",
  );
  return foreign && { kind: "plugin", key: foreign[0], declaration: foreign[1] };
}

export function connectionNameOf({ kind, declaration }: KindedDeclaration): string | undefined {
  return kind === "command" || kind === "plugin" ? undefined : declaration.connection;
}

export interface Effect {
  /** `writes` includes whatever is not proved to change nothing; `unknown` neither supports nor refutes a claim. */
  readonly verdict: "reads" | "writes" | "unknown";
  /** True if it deletes or overwrites something; absent if unknown. */
  readonly destructive?: boolean;
  /** True if repeating the call changes nothing more; absent if unknown. */
  readonly idempotent?: boolean;
  /** True if nothing of the input leaves the machine or the database. */
  readonly isLocal?: true;
  /** Follows "it": `deletes rows of "orders"`. */
  readonly reason: string;
  /** JSON Pointer of the value in the declaration that proves it. */
  readonly at: string;
  /** The part of that value, if it is a string, in UTF-16 units. */
  readonly span?: { readonly start: number; readonly end: number };
}

export type Happening = Omit<Effect, "at" | "span">;
