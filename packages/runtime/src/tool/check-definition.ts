import { findContradictions } from "./contradictions.js";
import type { ConcurrencyRule, ToolDefinition } from "./definition.js";
import {
  expectedValue,
  type Field,
  FIELD_ENTRIES,
  type FieldGroup,
  FIELDS,
  fits,
  isLooser,
  OUTPUT_CHECK,
  type ToolMetadata,
  VARYING_FLAGS,
} from "./fields.js";
import { TOOL_KEY_ROWS, type KeyRow } from "./keys.js";
import { resolveMetadata } from "./resolve-metadata.js";
import {
  aBoolean,
  aFunction,
  aText,
  anObject,
  anything,
  checkShape,
  listOf,
  type Kind,
  type Refuse,
  type Shape,
} from "./shape.js";
import { nameFault } from "./tool-names.js";

// One call, marked pure, so that bundlers drop the shapes from programs that build no tools.
const SHAPES = /* @__PURE__ */ createShapes();

/** Throws a `TypeError` naming the place where a definition breaks the format or contradicts itself. */
export function checkDefinition(definition: ToolDefinition<never, unknown, never>): void {
  if (typeof definition !== "object" || definition === null) {
    throw new TypeError("buildTool takes a definition: an object with `name`, `description`, `input` and `execute`.");
  }
  const label = typeof definition.name === "string" ? `Tool "${definition.name.slice(0, 80)}"` : "A tool";
  const refuse: Refuse = (path, what) => {
    throw new TypeError(`${label}: ${path} ${what}.`);
  };
  const fault = nameFault(definition.name);
  if (fault !== undefined) refuse("`name`", fault);
  const own = Object.entries(definition).filter(([key]) => !SHAPES.specOnly.includes(key) && !key.startsWith("x-"));
  checkShape(Object.fromEntries(own), SHAPES.definition, "", refuse);
  const stated = definition as unknown as { readonly [key: string]: unknown };
  for (const [key, { required }] of SHAPES.rows) {
    if (required === true && (stated[key] === undefined || stated[key] === "")) {
      refuse(`\`${key}\``, "is missing; every tool needs it");
    }
  }
  for (const [group, shape] of Object.entries(SHAPES.groups)) {
    const value = stated[group];
    if (value !== undefined) checkShape(value as object, shape, `${group}.`, refuse);
  }
  checkAliases(definition, refuse);
  for (const [index, check] of (definition.validate ?? []).entries()) {
    if (typeof check === "function") continue;
    checkShape(check, SHAPES.check, `validate[${index}].`, refuse);
    if (check.that === undefined || check.message === undefined) {
      refuse(`\`validate[${index}]\``, "needs both `that` and `message`");
    }
  }
  for (const [index, example] of (definition.examples ?? []).entries()) {
    checkShape(example, SHAPES.example, `examples[${index}].`, refuse);
    if (example.input === undefined) refuse(`\`examples[${index}]\``, "needs `input`");
  }
  checkContradictions(definition, refuse);
}

function shapeOf(group: FieldGroup): Shape {
  return Object.fromEntries(
    FIELD_ENTRIES.filter((entry) => entry.group === group).map(({ name, field }) => [
      name,
      group === "behavior" && field.perCall !== undefined ? kindOfVarying(field) : kindOf(field),
    ]),
  );
}

function kindOf(field: Field): Kind {
  return { expected: expectedValue(field), fits: (value) => fits(field, value) };
}

function kindOfVarying(field: Field): Kind {
  return {
    expected: `${expectedValue(field)}, or \`{ when }\` or \`{ unless }\` with one function`,
    fits: (value) => fits(field, value) || isClaim(value),
  };
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
    const path = `\`aliases[${index}]\` ("${alias.slice(0, 80)}")`;
    const fault = nameFault(alias);
    if (fault !== undefined) refuse(path, fault);
    if (alias === name) refuse(path, "is the tool's own name; remove it");
    if (aliases.indexOf(alias) !== index) refuse(path, "is a duplicate; remove one of the two");
  }
}

function checkContradictions(definition: ToolDefinition<never, unknown, never>, refuse: Refuse): void {
  const rows = definition.concurrency?.rules ?? [];
  for (const [index, row] of rows.entries()) {
    const path = `concurrency.rules[${index}]`;
    checkShape(row, SHAPES.rule, `${path}.`, refuse);
    if (row.when === undefined || row.class === undefined) refuse(`\`${path}\``, "needs `when` and `class`");
  }
  for (const { value, other, why } of findContradictions(definition)) {
    refuse(
      `\`${keyPath(value.at)}\``,
      `contradicts \`${other.name}: ${String(other.value)}\`: ${why}; change one of the two`,
    );
  }
  const { metadata } = resolveMetadata(definition);
  for (const [index, row] of rows.entries()) checkMilder(row, metadata, `concurrency.rules[${index}]`, refuse);
}

/** Refuses a row that is stricter than the tool's own values, on which an error falls back. */
function checkMilder(row: ConcurrencyRule<never>, own: ToolMetadata, path: string, refuse: Refuse): void {
  if (isLooser(FIELDS.concurrency.class, own.concurrency.class, row.class)) {
    refuse(
      `\`${path}.class\``,
      `is stricter than the tool's own class ${own.concurrency.class}; state the strictest class as \`concurrency.class\` and let rows loosen it`,
    );
  }
  for (const flag of VARYING_FLAGS) {
    if (row[flag] !== undefined && isLooser(FIELDS.behavior[flag], own.behavior[flag], row[flag])) {
      refuse(
        `\`${path}.${flag}\``,
        "is stricter than the tool's own value; state the strict value for the tool and let rows loosen it",
      );
    }
  }
}

function keyPath(keys: readonly (string | number)[]): string {
  return keys.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

function createShapes(): {
  readonly rows: typeof TOOL_KEY_ROWS;
  readonly definition: Shape;
  /** Keys of a spec for the compiler only. A definition read from a spec may keep them. */
  readonly specOnly: readonly string[];
  readonly groups: { readonly [group: string]: Shape };
  readonly rule: Shape;
  readonly check: Shape;
  readonly example: Shape;
} {
  const texts = listOf("strings", aText);
  const entry: Kind = { expected: "an entry", fits: (value) => anObject.fits(value) || aFunction.fits(value) };
  const entries = listOf("entries", entry);
  const line: Kind = {
    expected: "a sentence such as `Reading {path}`, or a function",
    fits: (value) => aText.fits(value) || aFunction.fits(value),
  };
  const kinds: { readonly [name in KeyRow["kind"]]: Kind } = {
    text: aText,
    texts,
    schema: { expected: "a JSON Schema", fits: (value) => aBoolean.fits(value) || anObject.fits(value) },
    outputCheck: kindOf(OUTPUT_CHECK),
    needs: anObject,
    entries,
    examples: entries,
    object: anObject,
    function: aFunction,
    anything,
  };
  const rows = TOOL_KEY_ROWS.filter(([, row]) => row.in === "both" || row.in === "definition");
  const perCall = FIELD_ENTRIES.filter(({ field }) => field.perCall !== undefined);
  return {
    rows,
    definition: Object.fromEntries(rows.map(([key, { kind }]) => [key, kinds[kind]])),
    specOnly: TOOL_KEY_ROWS.flatMap(([key, row]) => (row.in === "spec" ? [key] : [])),
    groups: {
      concurrency: { ...shapeOf("concurrency"), rules: entries },
      behavior: shapeOf("behavior"),
      visibility: { ...shapeOf("visibility"), featureGate: aText },
      limits: shapeOf("limits"),
      needs: { env: texts, context: texts },
      display: { running: line, done: line, failed: line, rejected: line, progress: line },
    },
    rule: { when: aFunction, ...Object.fromEntries(perCall.map(({ name, field }) => [name, kindOf(field)])) },
    check: { that: aFunction, message: aText },
    example: { input: anObject, description: aText },
  };
}
