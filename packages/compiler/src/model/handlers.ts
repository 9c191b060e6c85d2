import type { JsonObject, JsonValue } from "@hasp/schema";

/** A value in a declaration: `input.x`, `context.x.y` or a literal, written `{ literal: "input.x" }` if ambiguous. */
export type DeclaredValue = JsonValue;

/** Values that the host fills in, by name: each is `context.<member>`. */
export interface SpecBind {
  readonly [name: string]: string;
}

/** The way in which a tool does its work: one key, either `isolation` or the name of a kind. */
export interface SpecHandler {
  readonly isolation?: SpecIsolation;
  readonly [kind: string]: JsonObject | undefined;
}

type SpecIsolation = {
  readonly memoryMb?: number;
  readonly cpuSeconds?: number;
  readonly outputMb?: number;
};

/** The connections of a configuration, by name. Each has one key: its kind. */
export interface Connections {
  readonly [name: string]: { readonly [kind: string]: JsonObject };
}

/** The forms of what specs and configurations say about handlers of a kind, as JSON Schemas. */
export interface HandlerFormats {
  /** The value under `handler.<kind>`, with descriptions for newcomers. */
  readonly declaration: JsonObject;
  /** The settings under `connections.<name>.<kind>`; absent for a kind that connects to nothing. */
  readonly connection?: JsonObject;
  /** The answer of the outside world, as a test states it. */
  readonly respond: JsonObject;
  /** The parts of what is sent, as a test expects them. */
  readonly request: JsonObject;
  /** The member, of a declaration or of a connection's settings, that holds a program and its arguments. */
  readonly command?: string;
  /** `$defs` that a declaration refers to, beside those that all kinds share. */
  readonly definitions?: JsonObject;
}

/** A kind by its key under `handler`, with its forms. */
export interface KindFormats {
  readonly name: string;
  /** True if a spec names the kind alone: `handler: external`. It is read as `{ external: {} }`. */
  readonly isBare?: true;
  /** True if a handler starts a program: it gets `needs.env`, and values of the input as arguments. */
  readonly startsProgram?: true;
  /** The entry points that its generated code imports, each with its functions that turn a value of a call into text. */
  readonly entries: { readonly [entry: string]: readonly string[] };
  readonly formats: HandlerFormats;
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

/** True for the name of a kind that a plugin adds. */
export function isPluginKind(key: string): boolean {
  return key.includes("/");
}

export interface HandlerDeclaration {
  /** The key under `handler`: the name of the kind. */
  readonly key: string;
  readonly declaration: JsonObject;
}

/** Returns the declaration that a spec has in place of code; `undefined` where the handler is the user's own. */
export function declarationOf({ handler = {} }: { readonly handler?: SpecHandler }): HandlerDeclaration | undefined {
  for (const [key, declaration] of Object.entries(handler)) {
    if (key !== "isolation" && declaration !== undefined) return { key, declaration };
  }
  return undefined;
}

export function findConnectionName({ key, declaration }: HandlerDeclaration): string | undefined {
  const { connection } = declaration;
  return isPluginKind(key) || typeof connection !== "string" ? undefined : connection;
}

export interface Effect {
  /** `writes` includes whatever is not proved to change nothing; `unknown` neither supports nor refutes a claim. */
  readonly verdict: "reads" | "writes" | "unknown";
  /** True if it deletes or overwrites something; absent if unknown. */
  readonly destructive?: boolean;
  /** True if repeating the call changes nothing more; absent if unknown. */
  readonly idempotent?: boolean;
  /** True if each call sends its idempotency key, by which the other side can detect a repeated one. */
  readonly sendsKey?: true;
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
