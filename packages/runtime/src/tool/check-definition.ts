import type { ConcurrencyRule, ToolDefinition } from "./definition.js";
import type { ConcurrencyClass } from "./metadata.js";
import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "./defaults.js";
import { VARYING_FLAGS, resolveMetadata } from "./resolve-metadata.js";
import {
  aBoolean,
  aFunction,
  aText,
  anAmount,
  anObject,
  checkShape,
  listOf,
  oneOf,
  type Kind,
  type Refuse,
  type Shape,
} from "./shape.js";
import { nameFault } from "./tool-names.js";

const CLASSES: readonly ConcurrencyClass[] = ["READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE"];

// The marks let a bundler drop what a program does not use.
const aClass = /* @__PURE__ */ oneOf("READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE");
const texts = /* @__PURE__ */ listOf("strings", aText);
const entries = /* @__PURE__ */ listOf("entries", {
  expected: "an entry",
  fits: (value) => anObject.fits(value) || aFunction.fits(value),
});
const schema: Kind = { expected: "a JSON Schema", fits: (value) => aBoolean.fits(value) || anObject.fits(value) };
const limit: Kind = {
  expected: "a number above 0, or `unlimited`",
  fits: (value) => value === "unlimited" || (anAmount.fits(value) && value !== Infinity),
};
const count: Kind = {
  expected: "a whole number, 0 or more",
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
const flag: Kind = {
  expected: "true, false, `{ when }` or `{ unless }` with one function",
  fits: (value) => aBoolean.fits(value) || isClaim(value),
};
const idempotence: Kind = {
  expected: "true, false, `withKey`, or `{ when }` or `{ unless }` with one function",
  fits: (value) => value === "withKey" || flag.fits(value),
};
const fixedIdempotence: Kind = {
  expected: "true, false or `withKey`",
  fits: (value) => value === "withKey" || aBoolean.fits(value),
};
const line: Kind = {
  expected: "a sentence such as `Reading {path}`, or a function",
  fits: (value) => aText.fits(value) || aFunction.fits(value),
};

const DEFINITION: Shape = {
  name: aText,
  title: aText,
  description: aText,
  owner: aText,
  tags: texts,
  aliases: texts,
  searchHint: aText,
  input: schema,
  output: schema,
  concurrency: anObject,
  behavior: anObject,
  visibility: anObject,
  limits: anObject,
  needs: anObject,
  validate: entries,
  examples: entries,
  display: anObject,
  dialects: anObject,
  prepare: aFunction,
  permit: aFunction,
  isEnabled: aFunction,
  execute: aFunction,
};
/** What a spec says to the compiler alone: a definition that was read from one may keep it. */
const SPEC_ONLY: readonly string[] = ["$schema", "hasp", "tests", "providers", "suggested", "origin"];
const GROUPS: { readonly [group: string]: Shape } = {
  concurrency: { class: aClass, rules: entries },
  behavior: {
    isReadOnly: flag,
    isDestructive: flag,
    isIdempotent: idempotence,
    isOpenWorld: aBoolean,
    requiresPermission: flag,
    requiresUserInteraction: aBoolean,
    interruptBehavior: /* @__PURE__ */ oneOf("cancel", "block"),
    abortsSiblingsOnError: aBoolean,
  },
  visibility: { shouldDefer: aBoolean, alwaysLoad: aBoolean, featureGate: aText },
  limits: { maxResultSizeChars: limit, timeoutSeconds: limit, maxRetries: count },
  needs: { env: texts, context: texts },
  display: { running: line, done: line, failed: line, rejected: line, progress: line },
};
const ROW: Shape = {
  when: aFunction,
  class: aClass,
  isDestructive: aBoolean,
  isIdempotent: fixedIdempotence,
  requiresPermission: aBoolean,
  isReadOnly: aBoolean,
};
const CHECK: Shape = { that: aFunction, message: aText };

/** Throws a `TypeError` naming the place where a definition breaks the format or contradicts itself. */
export function checkDefinition(definition: ToolDefinition<never, unknown, never>): void {
  if (typeof definition !== "object" || definition === null) {
    throw new TypeError("buildTool takes a definition: an object with `name`, `description`, `input` and `execute`.");
  }
  const label = typeof definition.name === "string" ? `Tool "${definition.name.slice(0, 80)}"` : "A tool";
  const refuse: Refuse = (place, what) => {
    throw new TypeError(`${label}: ${place} ${what}.`);
  };
  const fault = nameFault(definition.name);
  if (fault !== undefined) refuse("`name`", fault);
  const own = Object.entries(definition).filter(([key]) => !SPEC_ONLY.includes(key) && !key.startsWith("x-"));
  checkShape(Object.fromEntries(own), DEFINITION, "", refuse);
  for (const key of ["description", "input", "execute"] as const) {
    if (definition[key] === undefined || definition[key] === "") {
      refuse(`\`${key}\``, "is missing; every tool needs it");
    }
  }
  for (const [group, shape] of Object.entries(GROUPS)) {
    const value = (definition as unknown as Record<string, unknown>)[group];
    if (value !== undefined) checkShape(value as object, shape, `${group}.`, refuse);
  }
  checkAliases(definition, refuse);
  for (const [index, check] of (definition.validate ?? []).entries()) {
    if (typeof check === "function") continue;
    checkShape(check, CHECK, `validate[${index}].`, refuse);
    if (check.that === undefined || check.message === undefined) {
      refuse(`\`validate[${index}]\``, "needs both `that` and `message`");
    }
  }
  checkContradictions(definition, refuse);
}

function isClaim(value: unknown): boolean {
  const entries = anObject.fits(value) ? Object.entries(value as object) : [];
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

/**
 * A row loosens what holds without it; the strict case belongs into the tool's own values, so that an error falls back
 * on it.
 */
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
