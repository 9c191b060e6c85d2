import { findEntryMaker } from "@hasp/runtime/internal/tried-out";
import type { DialectName, JsonObject, JsonValue } from "@hasp/schema";
import { isOwnDialect, nameDialect, resolveDialect, takesBareText, type ToolForm } from "@hasp/compiler/model";
import type { LoweredTool, FlatTool } from "@hasp/compiler";
import { dropUndefined, isObject, isSameJson, isSameJsonText } from "@hasp/base/json";

export type ListedForm = Extract<ToolForm, { readonly kind: "listed" }>;

interface SentSchemas {
  readonly input: JsonValue;
  readonly output: JsonValue | undefined;
}

/** The differences of a JSON value from another, by key; `undefined` removes one. */
export type JsonChanges = { readonly [key: string]: JsonValue | JsonChanges | undefined };

/** A function of `@hasp/runtime/codegen/v1` that makes a tool's entry from its listing, and what it must change. */
interface MadeEntry {
  readonly maker: string;
  readonly changes: JsonChanges | undefined;
}

/** The schemas of a tool's listing, and the entries that are made from it; the others are written out. */
export interface ToolEntries {
  readonly sent: SentSchemas;
  readonly made: ReadonlyMap<DialectName, MadeEntry>;
}

export function chooseEntries(tool: FlatTool, forms: readonly ToolForm[]): ToolEntries {
  const listed = forms.filter((form) => form.kind === "listed");
  const sent = chooseSentSchemas(tool, listed);
  const made = listed.flatMap(({ dialect, lowered }) => {
    const entry = chooseMaker(tool, lowered, sent);
    return entry === undefined ? [] : [[dialect, entry] as const];
  });
  return { sent, made: new Map(made) };
}

/** Returns a tool's schemas with their keys in the order that a dialect sends, if one sends an equal schema. */
function chooseSentSchemas(tool: FlatTool, forms: readonly ListedForm[]): SentSchemas {
  const sentAs = (schema: JsonValue, sent: readonly (JsonValue | undefined)[]): JsonValue =>
    sent.find((each) => each !== undefined && isSameJson(each, schema)) ?? schema;
  const input = sentAs(
    tool.input.schema as JsonValue,
    forms.map(({ lowered }) => lowered.lowering.schema as JsonValue),
  );
  const output =
    tool.output === undefined
      ? undefined
      : sentAs(
          tool.output.schema as JsonValue,
          forms.map(({ lowered }) => lowered.output?.schema as JsonValue | undefined),
        );
  return { input, output };
}

/** Maximum length of changes, as a share of the schema's text; beyond it, the whole entry reads better. */
const MOST_CHANGED = 0.7;

function chooseMaker(
  { name, spec }: FlatTool,
  { dialect, definition, hoisted, lowering }: LoweredTool,
  { input, output }: SentSchemas,
): MadeEntry | undefined {
  const maker = nameDialect(dialect.replace(/-strict$/u, "") as DialectName);
  // A plugin's dialect may be named like any other function.
  const make = isOwnDialect(dialect) ? findEntryMaker(maker) : undefined;
  if (make === undefined || hoisted.length > 0) return undefined;
  if (takesBareText(spec, resolveDialect({ id: dialect }))) return undefined;
  const listing = dropUndefined({
    name,
    title: spec.title,
    description: spec.description,
    input: () => input,
    output: output === undefined ? undefined : () => output,
    outputCheck: spec.outputCheck,
    examples: spec.examples,
  });
  const changes = findChanges(make(listing), definition);
  if (changes === undefined) return { maker, changes };
  if (lengthOf(changes) > lengthOf(lowering.schema) * MOST_CHANGED) return undefined;
  return isSameJsonText(make(listing, changes), definition) ? { maker, changes } : undefined;
}

/** Finds the changes from one object to another; `undefined` if both have the same text. */
function findChanges(from: JsonObject, to: JsonObject): JsonChanges | undefined {
  if (isSameJsonText(from, to)) return undefined;
  return Object.fromEntries(
    Object.keys({ ...from, ...to }).flatMap((key): readonly (readonly [string, JsonChanges[string]])[] => {
      const [before, after] = [from[key], to[key]];
      if (after === undefined || before === undefined) return [[key, after]];
      if (isSameJsonText(before, after)) return [];
      return [[key, isObject(before) && isObject(after) ? findChanges(before, after) : after]];
    }),
  );
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
