import type { ConcurrencyRule, ToolDefinition } from "./definition.js";
import type { ConcurrencyClass } from "./metadata.js";
import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "./defaults.js";
import { VARYING_FLAGS, resolveMetadata } from "./resolve-metadata.js";
import { nameFault } from "./tool-names.js";

type Kind =
  | "string"
  | "boolean"
  | "function"
  | "strings"
  | "objects"
  | "object"
  | "schema"
  | "limit"
  | "count"
  | "flag"
  | "idempotence"
  | "sentence"
  | readonly string[];
type Shape = { readonly [key: string]: Kind };

const CLASSES: readonly ConcurrencyClass[] = ["READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE"];

const DEFINITION: Shape = {
  name: "string",
  title: "string",
  description: "string",
  owner: "string",
  tags: "strings",
  aliases: "strings",
  searchHint: "string",
  input: "schema",
  output: "schema",
  concurrency: "object",
  behavior: "object",
  visibility: "object",
  limits: "object",
  needs: "object",
  validate: "objects",
  examples: "objects",
  display: "object",
  dialects: "object",
  prepare: "function",
  permit: "function",
  isEnabled: "function",
  execute: "function",
};
/** What a spec says to the compiler alone: a definition that was read from one may keep it. */
const SPEC_ONLY: readonly string[] = ["$schema", "hasp", "tests", "providers", "suggested", "origin"];
const GROUPS: { readonly [group: string]: Shape } = {
  concurrency: { class: CLASSES, rules: "objects" },
  behavior: {
    isReadOnly: "flag",
    isDestructive: "flag",
    isIdempotent: "idempotence",
    isOpenWorld: "boolean",
    requiresPermission: "flag",
    requiresUserInteraction: "boolean",
    interruptBehavior: ["cancel", "block"],
    abortsSiblingsOnError: "boolean",
  },
  visibility: { shouldDefer: "boolean", alwaysLoad: "boolean", featureGate: "string" },
  limits: { maxResultSizeChars: "limit", timeoutSeconds: "limit", maxRetries: "count" },
  needs: { env: "strings", context: "strings" },
  display: { running: "sentence", done: "sentence", failed: "sentence", rejected: "sentence", progress: "sentence" },
};
const ROW: Shape = {
  when: "function",
  class: CLASSES,
  isDestructive: "boolean",
  isIdempotent: "idempotence",
  requiresPermission: "boolean",
  isReadOnly: "boolean",
};

/** Throws a `TypeError` naming the place where a definition breaks the format or contradicts itself. */
export function checkDefinition(definition: ToolDefinition<never, unknown, never>): void {
  if (typeof definition !== "object" || definition === null)
    throw new TypeError("buildTool takes a definition: an object with `name`, `description`, `input` and `execute`.");
  const label = typeof definition.name === "string" ? `Tool "${definition.name.slice(0, 80)}"` : "A tool";
  const refuse: Refuse = (place, what) => {
    throw new TypeError(`${label}: ${place} ${what}.`);
  };
  const fault = nameFault(definition.name);
  if (fault !== undefined) refuse("`name`", fault);
  const own = Object.entries(definition).filter(([key]) => !SPEC_ONLY.includes(key) && !key.startsWith("x-"));
  checkShape(Object.fromEntries(own), DEFINITION, "", refuse);
  for (const key of ["description", "input", "execute"] as const) {
    if (definition[key] === undefined || definition[key] === "")
      refuse(`\`${key}\``, "is missing; every tool needs it");
  }
  for (const [group, shape] of Object.entries(GROUPS)) {
    const value = (definition as unknown as Record<string, unknown>)[group];
    if (value !== undefined) checkShape(value as object, shape, `${group}.`, refuse);
  }
  checkAliases(definition, refuse);
  for (const [index, check] of (definition.validate ?? []).entries()) {
    if (typeof check === "function") continue;
    checkShape(check, { that: "function", message: "string" }, `validate[${index}].`, refuse);
    if (check.that === undefined || check.message === undefined)
      refuse(`\`validate[${index}]\``, "needs both `that` and `message`");
  }
  checkContradictions(definition, refuse);
}

type Refuse = (place: string, what: string) => never;

function checkShape(value: object, shape: Shape, prefix: string, refuse: Refuse): void {
  for (const [key, item] of Object.entries(value)) {
    const kind = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (kind === undefined) refuse(`\`${prefix}${key}\``, `is unknown; known here: ${Object.keys(shape).join(", ")}`);
    if (item === undefined) continue;
    const expected = mismatch(item, kind);
    if (expected !== undefined) refuse(`\`${prefix}${key}\``, `must be ${expected}`);
  }
}

/** What a value should have been; `undefined` if it is that. */
function mismatch(value: unknown, kind: Kind): string | undefined {
  const claims = typeof value === "object" && value !== null && !Array.isArray(value) && isClaim(value);
  if (typeof kind !== "string") return is(kind.includes(value as string), `one of ${kind.join(", ")}`);
  switch (kind) {
    case "strings":
      return is(Array.isArray(value) && value.every((item) => typeof item === "string"), "a list of strings");
    case "objects":
      return is(
        Array.isArray(value) &&
          value.every((item) => item !== null && (typeof item === "object" || typeof item === "function")),
        "a list of entries",
      );
    case "object":
      return is(typeof value === "object" && value !== null && !Array.isArray(value), "an object");
    case "schema":
      return is(
        typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value)),
        "a JSON Schema",
      );
    case "limit":
      return is(
        value === "unlimited" || (typeof value === "number" && value > 0 && Number.isFinite(value)),
        "a number above 0, or `unlimited`",
      );
    case "count":
      return is(Number.isSafeInteger(value) && (value as number) >= 0, "a whole number, 0 or more");
    case "flag":
      return is(typeof value === "boolean" || claims, "true, false, `{ when }` or `{ unless }` with one function");
    case "idempotence":
      return is(
        typeof value === "boolean" || value === "withKey" || claims,
        "true, false, `withKey`, or `{ when }` or `{ unless }` with one function",
      );
    case "sentence":
      return is(typeof value === "string" || typeof value === "function", "a sentence such as `Reading {path}`, or a function");
    default:
      return is(typeof value === kind, `a ${kind}`);
  }
}

function is(holds: boolean, expected: string): string | undefined {
  return holds ? undefined : expected;
}

function isClaim(value: object): boolean {
  const entries = Object.entries(value);
  return (
    entries.length === 1 &&
    entries.every(([key, item]) => (key === "when" || key === "unless") && typeof item === "function")
  );
}

function checkAliases({ name, aliases = [] }: ToolDefinition<never, unknown, never>, refuse: Refuse): void {
  for (const [index, alias] of aliases.entries()) {
    const place = `\`aliases[${index}]\` ("${alias.slice(0, 80)}")`;
    const fault = nameFault(alias);
    if (fault !== undefined) refuse(place, fault);
    if (alias === name) refuse(place, "is the tool's own name; leave it out");
    if (aliases.indexOf(alias) !== index) refuse(place, "stands there twice; leave one out");
  }
}

function checkContradictions(definition: ToolDefinition<never, unknown, never>, refuse: Refuse): void {
  const { behavior = {}, visibility = {}, concurrency = {} } = definition;
  if (visibility.shouldDefer === true && visibility.alwaysLoad === true) {
    refuse(
      "`visibility`",
      "says both shouldDefer and alwaysLoad; a tool is either deferred or always loaded: leave one out",
    );
  }
  checkFlags(concurrency.class, behavior, "behavior", refuse);
  const own = resolveMetadata(definition);
  for (const [index, row] of (concurrency.rules ?? []).entries()) {
    const place = `concurrency.rules[${index}]`;
    checkShape(row, ROW, `${place}.`, refuse);
    if (row.when === undefined || row.class === undefined) refuse(`\`${place}\``, "needs `when` and `class`");
    checkFlags(row.class, row, place, refuse);
    checkMilder(row, own, place, refuse);
  }
}

/** The flags that a class entails must not be contradicted, nor may a call be read-only and destructive. */
function checkFlags(
  stated: ConcurrencyClass | undefined,
  flags: { readonly [flag in (typeof VARYING_FLAGS)[number]]?: unknown },
  place: string,
  refuse: Refuse,
): void {
  if (stated === "READ_ONLY") {
    for (const [flag, entailed] of Object.entries(READ_ONLY_ENTAILS)) {
      const value = flags[flag as keyof typeof READ_ONLY_ENTAILS];
      if (value !== undefined && value !== entailed) {
        refuse(
          `\`${place}.${flag}\``,
          `contradicts the class READ_ONLY, which entails ${flag}: ${String(entailed)}; change one of the two`,
        );
      }
    }
  }
  if (flags.isReadOnly === true && flags.isDestructive === true) {
    refuse(
      `\`${place}\``,
      "says both isReadOnly and isDestructive; what changes nothing destroys nothing: change one of the two",
    );
  }
}

/** A row loosens what holds without it; the strict case belongs into the tool's own values, so that an error falls back on it. */
function checkMilder(
  row: ConcurrencyRule<never>,
  own: ReturnType<typeof resolveMetadata>,
  place: string,
  refuse: Refuse,
): void {
  if (CLASSES.indexOf(row.class) > CLASSES.indexOf(own.concurrency.class)) {
    refuse(
      `\`${place}.class\``,
      `is stricter than the tool's own class ${own.concurrency.class}; state the strictest class as \`concurrency.class\` and let rows loosen it`,
    );
  }
  for (const flag of VARYING_FLAGS) {
    const strict = FAIL_CLOSED_DEFAULTS.behavior[flag];
    if (row[flag] === strict && own.behavior[flag] !== strict) {
      refuse(
        `\`${place}.${flag}\``,
        "is stricter than the tool's own value; state the strict value for the tool and let rows loosen it",
      );
    }
  }
}
