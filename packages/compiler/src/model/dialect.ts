import {
  defineDialect,
  type Dialect,
  type DialectId,
  type DialectLimits,
  type DialectName,
  dialects,
  type JsonObject,
  type JsonValue,
  type KeywordTable,
  type NameRule,
  type PluginDialectId,
  type Shapes,
  type WireTool,
} from "@hasp/schema";
import { freeShapes, wholeVocabulary } from "@hasp/schema/internal";
import { isObject } from "@hasp/base/json";
import { FIELD_ENTRIES, type FieldEntry } from "@hasp/runtime/contract";
import type { LoweredList, LoweredTool } from "./lowered.js";

/** The fields of a tool that MCP's annotations state, by the names of the annotations. */
export const HINTS: ReadonlyMap<string, FieldEntry> = new Map(
  FIELD_ENTRIES.flatMap((entry) => (entry.field.hint === undefined ? [] : [[`${entry.field.hint}Hint`, entry]])),
);

/** The fields of an entry that say how a tool is called: hasp decides them, at the top or one level below. */
const DECIDED_FIELDS: ReadonlySet<string> = new Set(["strict", "defer_loading", ...HINTS.keys()]);

/** The tools that an API accepts. Default: all of JSON Schema, names of 64 letters, digits, `_` or `-`, no limits. */
export interface PluginDialect {
  readonly id: PluginDialectId;
  /** The API in one line. */
  readonly title: string;
  /**
   * The entry of a tool in the list, in which `"$name"`, `"$title"`, `"$description"`, `"$input"`, `"$output"` and
   * `"$examples"` stand for parts of the tool. A member whose part the tool does not have is left out.
   */
  readonly entry: JsonObject;
  readonly toolName?: NameRule;
  /** The rule for names of parameters; `scope` says where it holds. */
  readonly propertyName?: NameRule & { readonly scope: "root" | "everywhere" };
  /** Maximum characters of a tool's description. */
  readonly descriptionLength?: number;
  /** The action for each keyword of JSON Schema that the API does not take as it is. */
  readonly keywords?: KeywordTable;
  /** The exceptions for the schema's root. */
  readonly rootKeywords?: KeywordTable;
  readonly formats?: readonly string[];
  readonly patterns?: Dialect["patterns"];
  readonly shapes?: Partial<Shapes>;
  readonly limits?: DialectLimits;
  readonly fieldRules?: NonNullable<Dialect["fieldRules"]>;
}

/** A configured dialect, with its facts if it is a plugin's. */
interface NamedDialect {
  readonly id: DialectName;
  readonly foreign?: PluginDialect;
  readonly limits?: DialectLimits;
}

/** Finds the facts about a configured dialect. Throws a `TypeError` for one whose plugin was not loaded. */
export function resolveDialect({ id, foreign, limits }: NamedDialect): Dialect {
  if (foreign !== undefined) return tighten(toDialect(foreign), limits);
  if (isOwnDialect(id)) return tighten(dialects[id], limits);
  throw new TypeError(`No plugin provides the dialect "${id}". Pass \`plugins\` of \`readProject\` to \`compile\`.`);
}

/** Takes the smaller one of each limit that is a number. */
function tighten(dialect: Dialect, limits: DialectLimits | undefined): Dialect {
  if (limits === undefined) return dialect;
  const own: { readonly [name: string]: unknown } = { ...dialect.limits };
  const smaller = Object.entries(limits).map(([name, limit]) => [
    name,
    Math.min(Number(limit), Number(own[name] ?? Infinity)),
  ]);
  return { ...dialect, limits: { ...dialect.limits, ...Object.fromEntries(smaller) } };
}

export function isOwnDialect(id: string): id is DialectId {
  return Object.hasOwn(dialects, id);
}

/** Finds the settings of a dialect by its name; those of hasp's own need not be configured. */
export function findDialectPlan<Plan extends NamedDialect>(
  plans: readonly Plan[],
  id: DialectName,
): Plan | { readonly id: DialectName; readonly extra?: undefined } {
  return plans.find((each) => each.id === id) ?? { id };
}

/** Lists the deferred tools that a first request must not hold, since the dialect has no field that says so. */
export function listLaterTools(
  { dialect, tools }: Pick<LoweredList, "dialect" | "tools">,
  { dialects: plans }: { readonly dialects: readonly NamedDialect[] },
): readonly LoweredTool[] {
  if (resolveDialect(findDialectPlan(plans, dialect)).deferral !== undefined) return [];
  return tools.filter(({ tool }) => tool.metadata.visibility.load === "deferred");
}

/** Returns a dialect's name in generated code, such as the function that returns a tool's entry. */
export function nameDialect(id: DialectName): string {
  return id.replaceAll(/[-/](.)/g, (_, first: string) => first.toUpperCase());
}

function toDialect({ id, title, entry, keywords, shapes, ...facts }: PluginDialect): Dialect {
  const hasField = JSON.stringify(entry).includes('"$examples"');
  return defineDialect({
    ...facts,
    id,
    family: id,
    title,
    confidence: "unverified",
    ...(hasField && { exampleField: "$examples" }),
    entry: { type: "WireSchema", use: title.replace(/\.$/u, "") },
    keywords: { ...wholeVocabulary, ...keywords },
    shapes: { ...freeShapes, ...shapes },
    wrap: (tool) => ({ ...(fill(entry, tool) as JsonObject), ...tool.extra }),
  });
}

/** True if an added field of an entry would say what kind of tool it is, or what hasp decides. */
export function isClaim({ id }: Pick<Dialect, "id">, field: string, value: JsonValue | undefined): boolean {
  const isOwn = isOwnDialect(id);
  const names = [field, ...(isObject(value) ? Object.keys(value) : [])];
  return (isOwn && field === "type") || names.some((name) => DECIDED_FIELDS.has(name) && (isOwn || name !== "strict"));
}

export const ENTRY_PARTS = ["name", "title", "description", "input", "output", "examples"] as const;

function fill(value: JsonValue, tool: WireTool): JsonValue | undefined {
  const part = ENTRY_PARTS.find((each) => value === `$${each}`);
  if (part !== undefined) return tool[part] as JsonValue | undefined;
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => fill(each, tool)).filter((filled) => filled !== undefined);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const filled = fill(each, tool);
      return filled === undefined ? [] : [[key, filled]];
    }),
  );
}
