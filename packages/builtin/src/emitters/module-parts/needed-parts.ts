import type { ToolParts } from "@hasp/runtime/codegen/v1";
import { toDraft07 } from "@hasp/runtime/internal/tried-out";
import type { Codec, JsonObject, JsonSchema } from "@hasp/schema";
import { isLinearNatively } from "@hasp/schema/internal";
import { createValidatorWith } from "@hasp/schema/internal/runtime";
import { walkSchema } from "@hasp/schema/vocabulary";
import { isSameJson } from "@hasp/base/json";
import type { ToolForm } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";

/** The parts that a tool needs, each by the name that its module imports from `@hasp/runtime/codegen/v1`. */
export interface NeededParts extends Record<keyof ToolParts, string | undefined> {
  readonly patterns: "nativePattern" | "linearPattern" | undefined;
  readonly keywords: "allKeywords" | undefined;
  readonly decoders: "plainDecoders" | "allDecoders" | undefined;
  readonly toDraft07: "toDraft07" | undefined;
  readonly createResourceFinder: "createResourceFinder" | undefined;
}

/** Every name in {@link NeededParts}. */
export const PART_NAMES: readonly NonNullable<NeededParts[keyof NeededParts]>[] = [
  "nativePattern",
  "linearPattern",
  "allKeywords",
  "plainDecoders",
  "allDecoders",
  "toDraft07",
  "createResourceFinder",
];

/** Finds the smallest parts that are proved to suffice for a tool. */
export function findNeededParts(tool: FlatTool, forms: readonly ToolForm[]): NeededParts {
  const { input, bound, output, spec } = tool;
  const schemas = [input.schema, bound, output?.schema].filter((schema) => schema !== undefined);
  const patterns = schemas.flatMap(listPatterns);
  const codecs = forms.flatMap((form) => (form.kind === "listed" ? (form.lowered.lowering.codec ?? []) : []));
  return {
    patterns: patterns.length === 0 ? undefined : patterns.every(isLinearNatively) ? "nativePattern" : "linearPattern",
    keywords: schemas.every(hasShortKeywords) ? undefined : "allKeywords",
    decoders: codecs.length === 0 ? undefined : codecs.every(isPlainCodec) ? "plainDecoders" : "allDecoders",
    toDraft07: isSameInDraft07(input.schema) ? undefined : "toDraft07",
    createResourceFinder: spec.concurrency?.key === undefined ? undefined : "createResourceFinder",
  };
}

function listPatterns(root: JsonSchema): readonly string[] {
  const patterns: string[] = [];
  walkSchema(root, ({ schema }) => {
    if (typeof schema !== "object") return;
    if (schema.pattern !== undefined) patterns.push(schema.pattern);
    patterns.push(...Object.keys(schema.patternProperties ?? {}));
  });
  return patterns;
}

/** True if a validator compiles a schema without `allKeywords`. Trying it out keeps the list of keywords in one place. */
function hasShortKeywords(schema: JsonSchema): boolean {
  try {
    createValidatorWith({}, schema, { foreignPatterns: "skip" });
    return true;
  } catch {
    return false;
  }
}

/** True if the plain decoders decode every value of a codec. */
function isPlainCodec(codec: Codec | undefined): boolean {
  switch (codec?.kind) {
    case undefined:
    case "reference":
      return true;
    case "definitions":
      return [codec.root, ...Object.values(codec.definitions)].every(isPlainCodec);
    case "object": {
      const members = Object.values(codec.properties).map(({ value }) => value);
      return codec.rest === undefined && [codec.additional, ...members].every(isPlainCodec);
    }
    case "array":
      return isPlainCodec(codec.items);
    case "wrap":
      return isPlainCodec(codec.value);
    case "tuple":
    case "pairs":
    case "union":
    case "text":
      return false;
  }
}

function isSameInDraft07(schema: JsonSchema): boolean {
  try {
    return isSameJson(toDraft07(schema as JsonObject) as JsonObject, schema as JsonObject);
  } catch {
    // Draft 07 cannot express the schema; `toDraft07` says so when it is called.
    return false;
  }
}
