import type { JsonObject, JsonValue } from "@hasp/schema";
import {
  completeDefinitions,
  formatMessage,
  type DiagnosticParameters,
  findClosest,
  findSuggestions,
  normalizeWord,
} from "@hasp/base/diagnostics";
import type { ErrorObject } from "ajv/dist/2020.js";
import { escapeToken, own, parsePointer } from "@hasp/base/json";

/** The findings that every file of hasp's own formats can have. Subjects are quoted: `"limits.maxRetries"`. */
export const formatFindings = {
  "unknown-key": {
    message: {
      misspelt: 'The key "{key}" is not known{where}.{nearest:suggestion}',
      synonym: 'The key "{key}" is not known{where}. It is called "{name}" here.',
      code: 'The key "{key}" is not known{where}. Specs hold no code: the handler of the tool exports it.',
      misplaced: 'The key "{key}" is not known{where}. "{name}" belongs under "{home}".',
      unknown: 'The key "{key}" is not known{where}. The known keys are {known:list}.',
    },
  },
  "missing-key": {
    message: { root: 'The key "{key}" is missing.', inside: 'The key "{key}" is missing in {subject}.' },
    help: { root: "{key}: {description:optional}", inside: "{key}: {description:optional}" },
  },
  "wrong-value": {
    message: {
      type: "{subject} must be {expected}, but it is {actual}.",
      unquoted: "{subject} must be {expected}, but it is {actual}. Put it in quotes.",
      misspelt: "{subject} cannot be {value:json}.{nearest:suggestion}",
      enum: "{subject} must be one of {allowed:list}.{nearest:suggestion}",
      const: "{subject} must be {value:json}.",
      repeated: "{subject} contains this item twice. Remove one of them.",
      empty: "{subject} must not be empty.",
      bound: "{subject} must be {comparison} {limit}.",
      reserved: "{subject} must not be {value:json}: that name is reserved.",
      expected: "{subject} must be {expected}.",
    },
  },
} as const;

type Wrong = DiagnosticParameters<(typeof formatFindings)["wrong-value"]>;

export type FormatProblem = {
  /** JSON Pointer of the value that is wrong, or that holds the wrong key. */
  readonly pointer: string;
  readonly part: "key" | "value";
  /** True if the value repeats an earlier one and can be removed. */
  readonly isRepeated?: true;
} & {
  [Kind in keyof typeof formatFindings]: {
    readonly kind: Kind;
    readonly parameters: DiagnosticParameters<(typeof formatFindings)[Kind]>;
  };
}[keyof typeof formatFindings];

const definitions = completeDefinitions(formatFindings);

/** States a problem as a sentence, for a value that lies in no file. */
export function printFormatProblem({ kind, parameters }: FormatProblem): string {
  return formatMessage(definitions[kind]?.message ?? kind, parameters);
}

/** Words of other formats. Keys are read without case, `-` and `_`. */
export interface ForeignWords {
  /** Maps keys to the format's own. */
  readonly keys?: { readonly [key: string]: string };
  /** Maps values to the format's own. */
  readonly values?: { readonly [value: string]: string };
  /** Keys that hold functions. */
  readonly code?: readonly string[];
}

/** Turns Ajv's errors into sentences. `homes` maps each key one level down to the key above it. */
export function toProblems(
  errors: readonly ErrorObject[],
  homes: ReadonlyMap<string, string>,
  foreign: ForeignWords,
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
    // A misspelt condition is an unknown key; do not report it as missing, too.
    (error.keyword === "oneOf" &&
      errors.some(
        ({ keyword, instancePath }) => keyword === "additionalProperties" && instancePath === error.instancePath,
      ));
  return errors.filter((error) => !isSpokenFor(error)).map((error) => toProblem(error, homes, foreign));
}

function toProblem(error: ErrorObject, homes: ReadonlyMap<string, string>, foreign: ForeignWords): FormatProblem {
  const { keyword, data, propertyName } = error;
  // What is wrong with a key is reported for the object that holds it.
  const instancePath = error.instancePath + (propertyName === undefined ? "" : `/${escapeToken(propertyName)}`);
  const parameters: JsonObject = error.params;
  const schema: JsonObject = toObject(error.parentSchema);
  const subject = subjectOf(instancePath);
  const wrong = (parameters: Wrong, pointer = instancePath): FormatProblem => ({
    kind: "wrong-value",
    pointer,
    part: propertyName === undefined ? "value" : "key",
    parameters,
  });
  const expected = schema["x-expected"];
  switch (keyword) {
    case "additionalProperties": {
      const key = String(parameters["additionalProperty"]);
      return {
        kind: "unknown-key",
        pointer: `${instancePath}/${escapeToken(key)}`,
        part: "key",
        parameters: {
          key,
          where: instancePath === "" ? "" : ` in ${subject}`,
          ...adviceFor(key, Object.keys(toObject(schema["properties"])), homes, foreign),
        },
      };
    }
    case "required": {
      const key = String(parameters["missingProperty"]);
      const { description } = toObject(toObject(schema["properties"])[key]);
      return {
        kind: "missing-key",
        pointer: instancePath,
        part: "key",
        parameters: {
          variant: instancePath === "" ? "root" : "inside",
          key,
          subject,
          description: typeof description === "string" ? description : undefined,
        },
      };
    }
    case "type": {
      const isUnquoted = parameters["type"] === "string" && ["number", "boolean"].includes(typeof data);
      const variant = isUnquoted ? "unquoted" : "type";
      return wrong({ variant, subject, expected: typeWords(parameters["type"]), actual: kindOf(data) });
    }
    case "enum": {
      const allowed = toList(parameters["allowedValues"]).map(String);
      const meant = typeof data === "string" ? own(foreign.values, data) : undefined;
      const close = typeof data === "string" ? findSuggestions(data, allowed) : [];
      const nearest = close.length === 0 && meant !== undefined && allowed.includes(meant) ? [meant] : close;
      // A long list does not help an author who only misspelt a word.
      if (nearest.length > 0 && allowed.length > 6) {
        return wrong({ variant: "misspelt", subject, value: data, nearest });
      }
      return wrong({ variant: "enum", subject, allowed, nearest });
    }
    case "const":
      return wrong({ variant: "const", subject, value: parameters["allowedValue"] });
    case "uniqueItems":
      return {
        ...wrong({ variant: "repeated", subject }, `${instancePath}/${laterItem(parameters)}`),
        isRepeated: true,
      };
    case "minLength":
    case "minItems":
    case "minProperties":
      return wrong({ variant: "empty", subject });
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return wrong({ variant: "bound", subject, comparison: BOUNDS[keyword], limit: String(parameters["limit"]) });
    case "not":
      return wrong({ variant: "reserved", subject, value: data });
    default: {
      const reason = typeof expected === "string" ? expected : `valid (${error.message ?? keyword})`;
      return wrong({ variant: "expected", subject, expected: reason });
    }
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
  foreign: ForeignWords,
): KeyAdvice {
  const nearest = findSuggestions(key, known);
  const word = normalizeWord(key);
  const name = Object.entries(foreign.keys ?? {}).find(([each]) => normalizeWord(each) === word)?.[1];
  const isOwn = nearest.some((each) => normalizeWord(each) === word);
  if (name !== undefined && !isOwn) return { variant: "synonym", name };
  if (nearest.length > 0) return { variant: "misspelt", nearest };
  if (foreign.code?.some((each) => normalizeWord(each) === word) === true) return { variant: "code" };
  const misplaced = findClosest(key, homes.keys());
  const home = misplaced === undefined ? undefined : homes.get(misplaced);
  if (misplaced !== undefined && home !== undefined) return { variant: "misplaced", name: misplaced, home };
  return { variant: "unknown", known };
}

type KeyAdvice =
  | { readonly variant: "misspelt"; readonly nearest: readonly string[] }
  | { readonly variant: "synonym"; readonly name: string }
  | { readonly variant: "code" }
  | { readonly variant: "misplaced"; readonly name: string; readonly home: string }
  | { readonly variant: "unknown"; readonly known: readonly string[] };

/** Names a value: `limits.maxRetries` for `/limits/maxRetries`, `tests[0].expect` for `/tests/0/expect`. */
function subjectOf(pointer: string): string {
  if (pointer === "") return "This file";
  const words = parsePointer(pointer).map((token, index) =>
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

export function toObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function toList(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
