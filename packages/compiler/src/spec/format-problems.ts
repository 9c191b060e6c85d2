import type { JsonObject, JsonValue } from "@hasp/schema";
import {
  completeDefinitions,
  formatMessage,
  type DiagnosticParameters,
  findClosest,
  findSuggestions,
  normalizeWord,
} from "@hasp/base/diagnostics";
import type { Fault, createFaultFinder } from "@hasp/schema/internal";
import { appendToPointer, canonicalText, findValueAt, own, parsePointer, toList, toObject } from "@hasp/base/json";

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

interface FormatValue {
  readonly value: JsonValue;
  /** The schema of the format, with all that it refers to. */
  readonly schema: JsonObject;
  /** Maps each key one level down to the key above it. */
  readonly homes: ReadonlyMap<string, string>;
  readonly foreign: ForeignWords;
  /** Compiles a schema to a function that lists all faults of a value. A parameter, so that the findings load without it. */
  readonly createFaultFinder: typeof createFaultFinder;
}

/** A keyword of a schema that a value, or a key, breaks. */
interface BrokenKeyword {
  readonly keyword: string;
  /** JSON Pointer of the value; of the object, if one of its keys is unknown or missing. */
  readonly pointer: string;
  /** True if the key itself is wrong, and not its value. */
  readonly isKey: boolean;
  /** The key that is unknown or missing. */
  readonly key: string;
  readonly data: JsonValue | undefined;
  readonly schema: JsonObject;
  readonly expected: string;
}

/** Puts the faults of a value into sentences. */
export function toProblems(faults: readonly Fault[], format: FormatValue): readonly FormatProblem[] {
  const broken = faults.flatMap((fault) => readFault(fault, format));
  // One sentence for a failed choice replaces those for its branches.
  const choices = broken.filter(({ keyword }) => keyword === "anyOf").map(({ pointer }) => pointer);
  const isSpokenFor = ({ keyword, pointer }: BrokenKeyword): boolean =>
    choices.some((path) => (keyword === "anyOf" ? pointer.startsWith(`${path}/`) : isWithin(pointer, path))) ||
    // An empty text lacks whatever its pattern asks for.
    (keyword === "pattern" && isAlsoBroken("minLength", pointer)) ||
    // A misspelt condition is an unknown key; do not report it as missing, too.
    (keyword === "oneOf" && isAlsoBroken("additionalProperties", pointer));
  const isAlsoBroken = (keyword: string, pointer: string): boolean =>
    broken.some((each) => each.keyword === keyword && each.pointer === pointer);
  return broken.filter((each) => !isSpokenFor(each)).map((each) => toProblem(each, format));
}

function readFault(fault: Fault, format: FormatValue): readonly BrokenKeyword[] {
  const { keyword, pointer, expected } = fault;
  const { value, schema: root } = format;
  const schema = toObject(findValueAt(root, splitPointer(fault.schemaPointer).holder));
  const { holder, key } = splitPointer(pointer);
  if (keyword === "propertyNames") {
    const names = { ...toObject(schema[keyword]), $defs: toObject(root["$defs"]) };
    return format
      .createFaultFinder(names)(key)
      .flatMap((inner) => readFault(inner, { ...format, value: key, schema: names }))
      .map((inner) => ({ ...inner, pointer, isKey: true }));
  }
  const isAboutKey = keyword === "additionalProperties" || keyword === "required";
  const place = isAboutKey ? holder : pointer;
  return [{ keyword, pointer: place, isKey: false, key, data: findValueAt(value, place), schema, expected }];
}

function splitPointer(pointer: string): { readonly holder: string; readonly key: string } {
  return { holder: pointer.slice(0, Math.max(0, pointer.lastIndexOf("/"))), key: parsePointer(pointer).at(-1) ?? "" };
}

function toProblem(broken: BrokenKeyword, { homes, foreign }: FormatValue): FormatProblem {
  const { keyword, pointer, isKey, key, data, schema, expected } = broken;
  const argument = schema[keyword];
  const subject = subjectOf(pointer);
  const wrong = (parameters: Wrong, place = pointer): FormatProblem => ({
    kind: "wrong-value",
    pointer: place,
    part: isKey ? "key" : "value",
    parameters,
  });
  switch (keyword) {
    case "additionalProperties":
      return {
        kind: "unknown-key",
        pointer: appendToPointer(pointer, key),
        part: "key",
        parameters: {
          key,
          where: pointer === "" ? "" : ` in ${subject}`,
          ...adviceFor(key, Object.keys(toObject(schema["properties"])), homes, foreign),
        },
      };
    case "required": {
      const { description } = toObject(toObject(schema["properties"])[key]);
      return {
        kind: "missing-key",
        pointer,
        part: "key",
        parameters: {
          variant: pointer === "" ? "root" : "inside",
          key,
          subject,
          description: typeof description === "string" ? description : undefined,
        },
      };
    }
    case "type": {
      const isUnquoted = argument === "string" && ["number", "boolean"].includes(typeof data);
      const variant = isUnquoted ? "unquoted" : "type";
      return wrong({ variant, subject, expected: typeWords(argument), actual: kindOf(data) });
    }
    case "enum": {
      const allowed = toList(argument).map(String);
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
      return wrong({ variant: "const", subject, value: argument });
    case "uniqueItems":
      return { ...wrong({ variant: "repeated", subject }, `${pointer}/${findRepeated(data)}`), isRepeated: true };
    case "minLength":
    case "minItems":
    case "minProperties":
      return wrong({ variant: "empty", subject });
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return wrong({ variant: "bound", subject, comparison: BOUNDS[keyword], limit: String(argument) });
    case "not":
      return wrong({ variant: "reserved", subject, value: data });
    default: {
      const stated = schema["x-expected"];
      return wrong({ variant: "expected", subject, expected: typeof stated === "string" ? stated : expected });
    }
  }
}

/** Finds the last item that equals an earlier one. */
function findRepeated(list: JsonValue | undefined): number {
  const texts = toList(list).map(canonicalText);
  return texts.findLastIndex((text, index) => texts.indexOf(text) < index);
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
