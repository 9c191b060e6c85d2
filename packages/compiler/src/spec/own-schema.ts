import type { JsonObject, JsonValue } from "@hasp/schema";
import { createMatcher } from "@hasp/schema/validate";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { loadOnDemand, once } from "@hasp/base/json";
import { type ForeignWords, toList, toObject, type FormatProblem, toProblems } from "./format-problems.js";

// Load Ajv on demand: most runs find no error.
const ajvPackage = loadOnDemand<typeof import("ajv/dist/2020.js")>("ajv/dist/2020.js");

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

/** Compiles a format's check. Ajv is slow to load, so it is asked only about what our own validator refuses. */
function compileFormat(schema: JsonObject, name: string, hints: FormatHints): FormatCheck {
  const definitions = toObject(schema["$defs"]);
  const { override, foreign = {} } = hints;
  const whole = {
    $defs: override === undefined ? definitions : { ...definitions, [override.name]: override.schema },
    $ref: `#/$defs/${name}`,
  };
  const isRight = createMatcher(whole);
  let validate: ValidateFunction | undefined;
  const homes = homesOfKeys(propertiesOf(toObject(definitions[name]), definitions));
  return (value) => {
    if (isRight(value)) return [];
    validate ??= compileWithAjv(whole);
    return validate(value) ? [] : toProblems(validate.errors ?? [], homes, foreign);
  };
}

/** Compiles a schema with Ajv. The function lists every error with the schema that it fails. */
export function compileWithAjv(schema: JsonObject): ValidateFunction {
  const { Ajv2020 } = ajvPackage();
  const ajv = new Ajv2020({
    allErrors: true,
    // Errors carry the schema that they fail, for `x-expected` and the known keys.
    verbose: true,
    ownProperties: true,
    validateFormats: false,
    // A test holds our own schemas to the meta-schema, in strict mode; here only the time to compile them counts.
    strict: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  return ajv.compile(schema);
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
