import type { JsonObject, JsonValue } from "@hasp/schema";
import type { ErrorObject } from "ajv/dist/2020.js";
import { escapeToken, pointerTokens } from "../model/json-pointer.js";
import { closest, didYouMean } from "./closest.js";

/** One thing that is wrong in a file of hasp's own formats. */
export interface FormatProblem {
  readonly kind: "unknown-key" | "missing-key" | "wrong-value";
  /** JSON Pointer of the value that is wrong, or that holds the wrong key. */
  readonly pointer: string;
  readonly part: "key" | "value";
  readonly message: string;
  readonly help?: string;
  /** What stands there says nothing that is not said before it, and may go. */
  readonly isRepeated?: true;
}

/**
 * What Ajv found, in sentences for the author of the file. `homes` gives for each key that stands one level down the key
 * under which it stands; `synonyms` for each other name of a key that name.
 */
export function toProblems(
  errors: readonly ErrorObject[],
  homes: ReadonlyMap<string, string>,
  synonyms: { readonly [key: string]: string },
): readonly FormatProblem[] {
  // A choice that fails reports each of its branches; its own sentence stands for them all.
  const choices = errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath);
  const isSpokenFor = (error: ErrorObject): boolean =>
    choices.some((path) =>
      error.keyword === "anyOf" ? error.instancePath.startsWith(`${path}/`) : isWithin(error.instancePath, path),
    ) ||
    error.keyword === "if" ||
    error.keyword === "propertyNames" ||
    /\/(?:oneOf|not)\//u.test(error.schemaPath) ||
    // An empty text lacks whatever its pattern asks for.
    (error.keyword === "pattern" &&
      errors.some(({ keyword, instancePath }) => keyword === "minLength" && instancePath === error.instancePath)) ||
    // A misspelt condition is an unknown key; that it is also missing need not be said.
    (error.keyword === "oneOf" &&
      errors.some(
        ({ keyword, instancePath }) => keyword === "additionalProperties" && instancePath === error.instancePath,
      ));
  return errors.filter((error) => !isSpokenFor(error)).map((error) => toProblem(error, homes, synonyms));
}

function toProblem(
  error: ErrorObject,
  homes: ReadonlyMap<string, string>,
  synonyms: { readonly [key: string]: string },
): FormatProblem {
  const { keyword, data, propertyName } = error;
  // What is wrong with a key is reported for the object that holds it.
  const instancePath = error.instancePath + (propertyName === undefined ? "" : `/${escapeToken(propertyName)}`);
  const parameters: JsonObject = error.params;
  const schema: JsonObject = asObject(error.parentSchema);
  const subject = subjectOf(instancePath);
  const wrong = (message: string, pointer = instancePath): FormatProblem => ({
    kind: "wrong-value",
    pointer,
    part: propertyName === undefined ? "value" : "key",
    message,
  });
  const expected = schema["x-expected"];
  switch (keyword) {
    case "additionalProperties": {
      const key = String(parameters["additionalProperty"]);
      const known = Object.keys(asObject(schema["properties"]));
      const where = instancePath === "" ? "" : ` in ${subject}`;
      return {
        kind: "unknown-key",
        pointer: `${instancePath}/${escapeToken(key)}`,
        part: "key",
        message: `The key "${key}" is not known${where}.${adviceFor(key, known, homes, synonyms)}`,
      };
    }
    case "required": {
      const key = String(parameters["missingProperty"]);
      const description = asObject(asObject(schema["properties"])[key])["description"];
      return {
        kind: "missing-key",
        pointer: instancePath,
        part: "key",
        message: `${instancePath === "" ? "The" : `In ${subject} the`} key "${key}" is missing.`,
        ...(typeof description === "string" ? { help: `${key}: ${description}` } : {}),
      };
    }
    case "type":
      return wrong(
        `${subject} must be ${typeWords(parameters["type"])}, and this is ${kindOf(data)}.` +
          (parameters["type"] === "string" && ["number", "boolean"].includes(typeof data) ? " Put it in quotes." : ""),
      );
    case "enum": {
      const allowed = asList(parameters["allowedValues"]).map(String);
      const near = typeof data === "string" ? didYouMean(data, allowed) : "";
      // A long list tells nothing to who has merely misspelt a word of it.
      if (near !== "" && allowed.length > 6) return wrong(`${subject} cannot be "${String(data)}".${near}`);
      return wrong(`${subject} must be one of ${allowed.join(", ")}.${near}`);
    }
    case "const":
      return wrong(`${subject} must be ${JSON.stringify(parameters["allowedValue"])}.`);
    case "uniqueItems":
      return {
        ...wrong(`${subject} holds this item twice; keep one.`, `${instancePath}/${laterItem(parameters)}`),
        isRepeated: true,
      };
    case "minLength":
    case "minItems":
    case "minProperties":
      return wrong(`${subject} must not be empty.`);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return wrong(`${subject} must be ${BOUNDS[keyword]} ${String(parameters["limit"])}.`);
    case "not":
      return wrong(`${subject} must not be ${JSON.stringify(data)}: that name is taken.`);
    default:
      return wrong(
        `${subject} must be ${typeof expected === "string" ? expected : `valid (${error.message ?? keyword})`}.`,
      );
  }
}

const BOUNDS = {
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "above",
  exclusiveMaximum: "below",
} as const;

function adviceFor(
  key: string,
  known: readonly string[],
  homes: ReadonlyMap<string, string>,
  synonyms: { readonly [key: string]: string },
): string {
  const near = didYouMean(key, known);
  if (near !== "") return near;
  const synonym = Object.hasOwn(synonyms, key) ? synonyms[key] : undefined;
  if (synonym !== undefined) return ` Here it is called "${synonym}".`;
  const misplaced = closest(key, homes.keys());
  if (misplaced !== undefined) return ` "${misplaced}" belongs under "${homes.get(misplaced)}".`;
  return ` Known here: ${known.join(", ")}.`;
}

/** `/limits/maxRetries` is `limits.maxRetries`, `/tests/0/expect` is `tests[0].expect`. */
function subjectOf(pointer: string): string {
  if (pointer === "") return "This file";
  const words = pointerTokens(pointer).map((token, index) =>
    /^\d+$/u.test(token) ? `[${token}]` : index === 0 ? token : `.${token}`,
  );
  return `"${words.join("")}"`;
}

function laterItem(parameters: JsonObject): number {
  return Math.max(Number(parameters["i"]), Number(parameters["j"]));
}

const TYPE_WORDS: { readonly [type: string]: string } = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object with keys",
  string: "a string",
};

function typeWords(type: JsonValue | undefined): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((word) => TYPE_WORDS[String(word)] ?? String(word)).join(" or ");
}

function kindOf(value: unknown): string {
  if (value === null) return "empty (null)";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object with keys";
  return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}

function isWithin(pointer: string, container: string): boolean {
  return pointer === container || pointer.startsWith(`${container}/`);
}

/** The value if it is an object, else an empty one. */
export function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The value if it is a list, else an empty one. */
export function asList(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
