import type { JsonObject, JsonSchema, WireTool } from "@hasp/schema";
import type { GeminiTool, ObjectSchema, UnhintedTool } from "@hasp/schema/internal/entries";
import { isObject } from "@hasp/base/json";
import { FAIL_CLOSED_DEFAULTS, type FieldGroup, toHints, OUTPUT_CHECK, type ToolMetadata } from "../../tool/fields.js";
import { type Lazy, lazySchema } from "./lazy-schema.js";
import type { SpecMetadata, ToolDialects, ToolSpec, ToolTypes } from "./tool-spec.js";

/** The parts of a tool that the lists of all providers share. */
export interface Listing<Input extends JsonSchema = ObjectSchema> extends Pick<
  ToolSpec,
  "name" | "title" | "description" | "output" | "outputCheck" | "examples"
> {
  readonly input: Lazy<Input>;
}

/** A listing with what creates its schemas, see {@link lazySchema}. */
interface ListingParts extends Omit<Listing, "input" | "output"> {
  readonly input: () => unknown;
  readonly output?: () => unknown;
}

/** Makes a tool's listing, with schemas that are created on their first use. */
export function listTool<Input extends JsonSchema>({ input, output, ...parts }: ListingParts): Lazy<Listing<Input>> {
  const listing = {
    ...parts,
    input: lazySchema<Input>(input),
    ...(output !== undefined && { output: lazySchema(output) }),
  };
  return () => listing;
}

/** Makes a tool's entry in a list: loose and strictest in its hints, but for `changes`. */
export type EntryMaker<Base> = <Entry extends Base>(
  listing: Listing<JsonSchema>,
  changes?: { readonly [Key in keyof NoInfer<Entry>]?: unknown },
) => Entry;

/** The one dialect with a form of schemas of its own that lists without loss. */
export const gemini: EntryMaker<GeminiTool> = /* @__PURE__ */ makeBy(wrapForGemini);

/** Creates the maker of a dialect from what builds its entries. */
export function makeBy<Base>(wrap: (tool: UnhintedTool, listing: Listing<JsonSchema>) => JsonObject): EntryMaker<Base> {
  return (listing, changes) => {
    const { name, title, description, input, examples } = listing;
    const tool = {
      name,
      ...(title !== undefined && { title }),
      description,
      input: input(),
      ...(examples !== undefined && { examples: examples.map((example) => example.input) }),
      deferred: false,
    };
    const entry = wrap(tool, listing);
    return (changes === undefined ? entry : changed(entry, changes)) as never;
  };
}

/** Adds the strictest hints, and the output schema: a client refuses a result that does not fit a listed one. */
export function forMcp(
  tool: UnhintedTool,
  { output, outputCheck = OUTPUT_CHECK.strict }: Listing<JsonSchema>,
): WireTool {
  const isListed = output !== undefined && outputCheck === OUTPUT_CHECK.strict;
  return { ...tool, ...(isListed && { output: output() }), hints: toHints(FAIL_CLOSED_DEFAULTS.behavior) };
}

/** Merges changes into a value: key by key into objects, while `undefined` removes a key. */
function changed(value: unknown, changes: unknown): unknown {
  if (!isObject(value) || !isObject(changes)) return changes;
  const keys = Object.keys({ ...value, ...changes }).filter(
    (key) => !Object.hasOwn(changes, key) || changes[key] !== undefined,
  );
  return Object.fromEntries(
    keys.map((key) => [key, Object.hasOwn(changes, key) ? changed(value[key], changes[key]) : value[key]]),
  );
}

type StatedSpec<Types extends ToolTypes> = Omit<ToolSpec<Types>, keyof Listing | "metadata" | "dialects"> & {
  readonly metadata?: SpecMetadata;
  /** By dialect: the maker of the usual entry, or the tool's own. */
  readonly dialects?: {
    readonly [dialect: string]: ((listing: Listing<JsonSchema>) => object) | ToolDialects[string];
  };
};

/** Completes the facts that a spec states with the strict value of every other. */
export function failClosed(stated: SpecMetadata): ToolMetadata {
  const groups = Object.entries(FAIL_CLOSED_DEFAULTS).map(([group, strict]) => [
    group,
    { ...strict, ...stated[group as FieldGroup] },
  ]);
  // An unknown group stays, so that binding refuses it.
  return { ...stated, ...Object.fromEntries(groups) };
}

/** Completes a spec by its listing, the strict value of every fact that it does not state, and its entries in lists. */
export function complete<Types extends ToolTypes>(
  listing: Lazy<Listing<JsonSchema>>,
  { metadata = {}, dialects, ...stated }: StatedSpec<Types>,
): ToolSpec<Types> {
  const entries = Object.entries(dialects ?? {}).map(([id, dialect]) => [
    id,
    typeof dialect === "function" ? { definition: () => dialect(listing()) } : dialect,
  ]);
  return {
    ...listing(),
    ...stated,
    metadata: failClosed(metadata),
    ...(dialects !== undefined && { dialects: Object.fromEntries(entries) }),
  } as ToolSpec<Types>;
}

function wrapForGemini({ name, description, input }: UnhintedTool): JsonObject {
  const parameters = geminiSchema(input) as JsonObject;
  return { name, description, ...(Object.hasOwn(parameters, "properties") && { parameters }) };
}

/** Converts a schema to Gemini's form: types in capitals, null apart, defaults in words, and no annotations. */
function geminiSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(geminiSchema);
  if (!isObject(value)) return value;
  const { description, default: fallback } = value;
  const words = [description, ...(fallback === undefined ? [] : [`Default: ${JSON.stringify(fallback)}.`])];
  const told = words.filter((each) => each !== undefined).join(" ");
  const described = told === "" || description !== undefined ? value : { description: told, ...value };
  const node = Object.entries(described).flatMap(([keyword, held]): [string, unknown][] => {
    if (UNKNOWN_TO_GEMINI.has(keyword)) return [];
    if (keyword === "description") return [[keyword, told]];
    if (keyword === "type") {
      const [type, other] = [held].flat();
      return [
        [keyword, String(type).toUpperCase()],
        ...(other === "null" ? [["nullable", true] as [string, unknown]] : []),
      ];
    }
    if (keyword === "properties" && isObject(held)) {
      return [[keyword, Object.fromEntries(Object.entries(held).map(([key, inner]) => [key, geminiSchema(inner)]))]];
    }
    return [[keyword, keyword === "items" || keyword === "anyOf" ? geminiSchema(held) : held]];
  });
  return Object.fromEntries(node);
}

const UNKNOWN_TO_GEMINI: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "additionalProperties",
  "default",
  "deprecated",
  "examples",
  "readOnly",
  "writeOnly",
]);
