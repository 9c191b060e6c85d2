import type { JsonObject, JsonValue } from "@hasp/schema";
import { createFaultFinder } from "@hasp/schema/internal";
import { createMatcher } from "@hasp/schema/validate";
import { once, toList, toObject } from "@hasp/base/json";
import { type ForeignWords, type FormatProblem, toProblems } from "./format-problems.js";

/** Lists the problems of a value in sentences. */
export type FormatCheck = (value: JsonValue) => readonly FormatProblem[];

interface FormatHints {
  /** A schema that replaces one of the `$defs`, for parts that something else judges more exactly. */
  readonly override?: { readonly name: string; readonly schema: JsonObject };
  /** Words of other formats, for advice. */
  readonly foreign?: ForeignWords;
}

/** Creates a format's check, which is compiled on first use, since most commands check a few formats only. */
export function createFormatCheck(schema: JsonObject, name: string, hints: FormatHints = {}): FormatCheck {
  const check = once(() => compileFormat(schema, name, hints));
  return (value) => check()(value);
}

function compileFormat(schema: JsonObject, name: string, hints: FormatHints): FormatCheck {
  const definitions = toObject(schema["$defs"]);
  const { override, foreign = {} } = hints;
  const whole = {
    $defs: override === undefined ? definitions : { ...definitions, [override.name]: override.schema },
    $ref: `#/$defs/${name}`,
  };
  const isRight = createMatcher(whole);
  const findFaults = once(() => createFaultFinder(whole));
  const homes = homesOfKeys(propertiesOf(toObject(definitions[name]), definitions));
  return (value) =>
    isRight(value) ? [] : toProblems(findFaults()(value), { value, schema: whole, homes, foreign, createFaultFinder });
}

function propertiesOf(definition: JsonObject, definitions: JsonObject): JsonObject {
  const inherited = toList(definition["allOf"])
    .map((part) => String(toObject(part)["$ref"]).replace("#/$defs/", ""))
    .map((name) => toObject(toObject(definitions[name])["properties"]));
  return Object.assign({}, ...inherited, toObject(definition["properties"]));
}

/** Maps every key that is one level down to the key above it. */
function homesOfKeys(properties: JsonObject): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const [section, schema] of Object.entries(properties)) {
    for (const key of Object.keys(toObject(toObject(schema)["properties"]))) homes.set(key, section);
  }
  return homes;
}
