import type { JsonObject, JsonValue } from "@hasp/schema";
import { createMatcher } from "@hasp/schema/validate";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { libraryOnDemand } from "../model/on-demand.js";
import { asList, asObject, type FormatProblem, toProblems } from "./format-problems.js";

// Most runs find every file right.
const ajvPackage = libraryOnDemand<typeof import("ajv/dist/2020.js")>("ajv/dist/2020.js");

/** Says in sentences what is wrong with a value; empty if nothing is. */
export type FormatCheck = (value: JsonValue) => readonly FormatProblem[];

export interface FormatHints {
  /** Replaces one of the schema's `$defs`, for parts that something else judges more exactly. */
  readonly override?: { readonly name: string; readonly schema: JsonObject };
  /** For a key that is known under another name: that name. */
  readonly synonyms?: { readonly [key: string]: string };
}

/** Compiles a format's check. Ajv is slow to load, so it is asked only about what our own validator refuses. */
export function compileFormat(schema: JsonObject, name: string, hints: FormatHints = {}): FormatCheck {
  const definitions = asObject(schema["$defs"]);
  const { override, synonyms = {} } = hints;
  const whole = {
    $defs: override === undefined ? definitions : { ...definitions, [override.name]: override.schema },
    $ref: `#/$defs/${name}`,
  };
  const isRight = createMatcher(whole);
  let validate: ValidateFunction | undefined;
  const homes = homesOfKeys(propertiesOf(asObject(definitions[name]), definitions));
  return (value) => {
    if (isRight(value)) return [];
    validate ??= compileWithAjv(whole);
    return validate(value) ? [] : toProblems(validate.errors ?? [], homes, synonyms);
  };
}

/** Ajv's function for a schema, which lists every error with the schema that it fails. */
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
  const inherited = asList(definition["allOf"])
    .map((part) => String(asObject(part)["$ref"]).replace("#/$defs/", ""))
    .map((name) => asObject(asObject(definitions[name])["properties"]));
  return Object.assign({}, ...inherited, asObject(definition["properties"]));
}

/** For every key that is one level down: the key under which it stands. */
function homesOfKeys(properties: JsonObject): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const [section, schema] of Object.entries(properties)) {
    for (const key of Object.keys(asObject(asObject(schema)["properties"]))) homes.set(key, section);
  }
  return homes;
}
