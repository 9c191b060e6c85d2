import type { JsonObject, JsonSchema, ValidatorOptions } from "@hasp/schema";
import type { OutputCheck } from "./fields.js";

/** The values of keys whose type depends on no tool, by kind. */
interface KindValues {
  readonly text: string;
  readonly texts: readonly string[];
  readonly schema: JsonSchema;
  readonly coercion: NonNullable<ValidatorOptions["coerce"]>;
  readonly outputCheck: OutputCheck;
  readonly needs: { readonly env?: readonly string[]; readonly context?: readonly string[] };
  readonly examples: readonly { readonly input: JsonObject }[];
  readonly mark: true;
}

/** A key: the kind of its value, and who states it. */
export interface KeyRow {
  readonly kind: keyof KindValues | "entries" | "function" | "object" | "anything";
  /** `spec`: a definition that was read from a spec may keep the key, and nothing here reads it. */
  readonly in: "both" | "definition" | "module" | "spec";
  readonly required?: true;
}

/** Every key of a tool, in the order of generated modules, from which `buildTool`, `bindTool` and specs derive. */
export const TOOL_KEYS = {
  name: { kind: "text", in: "both", required: true },
  title: { kind: "text", in: "both" },
  description: { kind: "text", in: "both", required: true },
  owner: { kind: "text", in: "both" },
  tags: { kind: "texts", in: "both" },
  aliases: { kind: "texts", in: "both" },
  searchHint: { kind: "text", in: "module" },
  handlerFile: { kind: "text", in: "module" },
  metadata: { kind: "object", in: "module" },
  featureGate: { kind: "text", in: "module" },
  input: { kind: "schema", in: "both", required: true },
  bind: { kind: "object", in: "module" },
  bound: { kind: "schema", in: "module" },
  /** The repairs of an input that does not fit. Default: true. */
  coerce: { kind: "coercion", in: "both" },
  output: { kind: "schema", in: "both" },
  /** The reaction to an output that does not fit `output`. Default: `enforce`, the call fails. */
  outputCheck: { kind: "outputCheck", in: "both" },
  concurrency: { kind: "object", in: "definition" },
  behavior: { kind: "object", in: "definition" },
  visibility: { kind: "object", in: "definition" },
  limits: { kind: "object", in: "definition" },
  rules: { kind: "entries", in: "module" },
  resourceKey: { kind: "text", in: "module" },
  destination: { kind: "function", in: "module" },
  flags: { kind: "object", in: "module" },
  validate: { kind: "entries", in: "both" },
  needs: { kind: "needs", in: "both" },
  isolation: { kind: "object", in: "module" },
  examples: { kind: "examples", in: "both" },
  display: { kind: "object", in: "both" },
  /** By dialect id; written by the compiler. */
  dialects: { kind: "object", in: "both" },
  /** The imports that some tools need beyond those of every tool. */
  parts: { kind: "object", in: "both" },
  describe: { kind: "function", in: "module" },
  prepare: { kind: "function", in: "definition" },
  permit: { kind: "function", in: "definition" },
  isEnabled: { kind: "function", in: "definition" },
  /** Somebody else executes the calls: the host, a page or another process. */
  external: { kind: "mark", in: "both" },
  execute: { kind: "function", in: "definition" },
  $schema: { kind: "anything", in: "spec" },
  hasp: { kind: "anything", in: "spec" },
  tests: { kind: "anything", in: "spec" },
  providers: { kind: "anything", in: "spec" },
  origin: { kind: "anything", in: "spec" },
} as const;

type ToolKeys = typeof TOOL_KEYS;
type Value<Key extends keyof ToolKeys> = ToolKeys[Key]["kind"] extends keyof KindValues
  ? KindValues[ToolKeys[Key]["kind"]]
  : never;
type ToolKeysWith<Row> = { readonly [Key in keyof ToolKeys]: ToolKeys[Key] extends Row ? Key : never }[keyof ToolKeys];
type DataKey = ToolKeysWith<{ readonly in: "both"; readonly kind: keyof KindValues }>;
type FactKey = ToolKeysWith<{ readonly in: "both"; readonly kind: "text" | "texts" }>;
type RequiredToolKey = ToolKeysWith<{ readonly required: true }>;
type ListKey = ToolKeysWith<{ readonly kind: "texts" }>;

/** The plain data that a definition and a generated module state alike. `undefined` counts as omitted. */
export type ToolData = { readonly [Key in keyof ToolKeys as Extract<Key, DataKey & RequiredToolKey>]: Value<Key> } & {
  readonly [Key in keyof ToolKeys as Exclude<Extract<Key, DataKey>, RequiredToolKey>]?: Value<Key> | undefined;
};

/** The texts of a tool; an unstated list is empty. */
export type ToolFacts = {
  readonly [Key in keyof ToolKeys as Extract<Key, FactKey & (RequiredToolKey | ListKey)>]: Value<Key>;
} & { readonly [Key in keyof ToolKeys as Exclude<Extract<Key, FactKey>, RequiredToolKey | ListKey>]?: Value<Key> };

export const TOOL_KEY_ROWS: readonly (readonly [key: string, row: KeyRow])[] =
  /* @__PURE__ */ Object.entries(TOOL_KEYS);

/** True for a value of `coerce` that this version knows. */
export function isCoercion(value: unknown): value is KindValues["coercion"] {
  return typeof value === "boolean" || JSON.stringify(value) === '{"emptyText":"absent"}';
}
