import type { JsonSchema } from "@hasp/schema";
import { copyJson, once } from "@hasp/base/json";
import { checkSchema, refuseSlowPatterns } from "./check-schema.js";
import type { ToolDefinition, ConcurrencyRule, PlainDefinition, Tool } from "./definition.js";
import {
  type ToolMetadata,
  expectedValue,
  type Field,
  FIELD_ENTRIES,
  type FieldGroup,
  FIELDS,
  fits,
  isLooser,
  OUTPUT_CHECK,
  VARYING_FLAGS,
} from "./fields.js";
import { isCoercion, TOOL_KEY_ROWS, type KeyRow } from "./keys.js";
import { closePlainly } from "./close-plainly.js";
import { freezeSchema, makeTool } from "./make-tool.js";
import { findContradictions, resolveMetadata } from "./metadata.js";
import { RESOURCE_KEY_PATTERN } from "./resource-key.js";
import {
  aBoolean,
  aFunction,
  aText,
  anObject,
  anything,
  checkShape,
  listOf,
  type OptionKind,
  type Refuse,
  type Shape,
} from "./shape.js";
import { nameFault } from "./tool-names.js";

/**
 * Makes a tool from a definition: checks names, keys and contradictions, closes the input schema and fills every flag
 * that is not stated with its fail-closed default. Throws a `TypeError` that says what is wrong, where, and what to do.
 */
export function buildTool<Input = unknown, Output = unknown, Context = unknown>(
  definition: Omit<ToolDefinition<Input, Output, Context>, "execute"> & { readonly external: true },
): Tool<Input, Output, Context>;
export function buildTool<Input = unknown, Output = unknown, Context = unknown>(
  definition: ToolDefinition<Input, Output, Context>,
): Tool<Input, Output, Context>;
export function buildTool<Input, Output, Context>(
  given: Omit<ToolDefinition<Input, Output, Context>, "execute">,
): Tool<Input, Output, Context> {
  const { visibility } = Object(given) as typeof given;
  const alone = typeof visibility === "string" && { visibility: { load: visibility } };
  // Nothing calls the `execute` of a tool whose calls somebody else executes.
  const definition = (alone ? { ...given, ...alone } : given) as PlainDefinition<Input, Output, Context>;
  checkDefinition(definition);
  const input = closeInput(definition);
  if (definition.output !== undefined) checkSchema(definition.name, "output", definition.output);
  return makeTool({ ...definition, input });
}

/** Checks and closes the input schema of a definition. A compiled schema is closed already and stays the same object. */
function closeInput({ name, input }: { readonly name: string; readonly input: JsonSchema }): JsonSchema {
  if (typeof input !== "object" || (input.type !== undefined && ![input.type].flat().includes("object"))) {
    throw new TypeError(
      `Tool "${name}": \`input\` must describe an object, because models send objects. Write \`type: "object"\` and \`properties\`.`,
    );
  }
  // Throws for a value that is not JSON, or that contains itself.
  copyJson(input);
  refuseSlowPatterns(name, input);
  checkSchema(name, "input", input);
  const closed = closePlainly(input, (pointer, fault) => {
    throw new TypeError(`Tool "${name}", input${pointer}: ${fault}`);
  });
  return freezeSchema(closed);
}

const findShapes = /* @__PURE__ */ once(createShapes);

/** Throws a `TypeError` naming the place where a definition breaks the format or contradicts itself. */
function checkDefinition(definition: PlainDefinition<never, unknown, never>): void {
  if (typeof definition !== "object" || definition === null) {
    throw new TypeError("buildTool takes a definition: an object with `name`, `description`, `input` and `execute`.");
  }
  const label = typeof definition.name === "string" ? `Tool "${definition.name.slice(0, 80)}"` : "A tool";
  const refuse: Refuse = (path, what) => {
    throw new TypeError(`${label}: ${path} ${what}.`);
  };
  const fault = nameFault(definition.name);
  if (fault !== undefined) refuse("`name`", fault);
  const shapes = findShapes();
  const own = Object.entries(definition).filter(([key]) => !shapes.specOnly.includes(key) && !key.startsWith("x-"));
  for (const [group, shape] of Object.entries(shapes.groups)) {
    const [misplaced] = own.find(([key]) => Object.hasOwn(shape, key) && !Object.hasOwn(shapes.definition, key)) ?? [];
    if (misplaced !== undefined) refuse(`\`${misplaced}\``, `belongs under \`${group}\``);
  }
  checkShape(Object.fromEntries(own), shapes.definition, "", refuse);
  const stated = definition as unknown as { readonly [key: string]: unknown };
  for (const [key, { required }] of shapes.rows) {
    if (required === true && (stated[key] === undefined || stated[key] === "")) {
      refuse(`\`${key}\``, "is missing; every tool needs it");
    }
  }
  for (const [group, shape] of Object.entries(shapes.groups)) {
    const value = stated[group];
    if (value !== undefined) checkShape(value as object, shape, `${group}.`, refuse);
  }
  const isExternal = definition.external === true;
  if (isExternal !== (definition.execute === undefined)) {
    const missing =
      "is missing; every tool needs it, unless `external: true` says that somebody else executes its calls";
    refuse("`execute`", isExternal ? "contradicts `external: true`; remove one of them" : missing);
  }
  checkAliases(definition, refuse);
  if (definition.visibility?.describe !== undefined && (definition.needs?.context ?? []).length === 0) {
    refuse("`visibility.describe`", "reads nothing; name the members of the context that it reads as `needs.context`");
  }
  checkEntries("validate", definition.validate, shapes.check, ["that", "message"], refuse);
  checkEntries("examples", definition.examples, shapes.example, ["input"], refuse);
  checkEntries("concurrency.rules", definition.concurrency?.rules, shapes.rule, ["when", "class"], refuse);
  checkContradictions(definition, refuse);
}

/** Refuses objects of a list that lack a member or have others. */
function checkEntries(
  list: string,
  entries: readonly object[] = [],
  shape: Shape,
  required: readonly string[],
  refuse: Refuse,
): void {
  for (const [index, entry] of entries.entries()) {
    if (typeof entry === "function") continue;
    const path = `${list}[${index}]`;
    checkShape(entry, shape, `${path}.`, refuse);
    if (required.some((key) => Reflect.get(entry, key) === undefined)) {
      refuse(`\`${path}\``, `needs ${required.map((key) => `\`${key}\``).join(" and ")}`);
    }
  }
}

function shapeOf(group: FieldGroup): Shape {
  return Object.fromEntries(
    FIELD_ENTRIES.filter((entry) => entry.group === group).map(({ name, field }) => [
      name,
      group === "behavior" && field.varies === true ? kindOfVarying(field) : kindOf(field),
    ]),
  );
}

function kindOf(field: Field): OptionKind {
  return { expected: expectedValue(field), fits: (value) => fits(field, value) };
}

function kindOfVarying(field: Field): OptionKind {
  return {
    expected: `${expectedValue(field)}, or \`{ when }\` or \`{ unless }\` with one function`,
    fits: (value) => fits(field, value) || isClaim(value),
  };
}

function isClaim(value: unknown): boolean {
  const [entry, other] = Object.entries(Object(value));
  return other === undefined && /^(?:when|unless)$/u.test(entry?.[0] ?? "") && typeof entry?.[1] === "function";
}

function checkAliases({ name, aliases = [] }: PlainDefinition<never, unknown, never>, refuse: Refuse): void {
  for (const [index, alias] of aliases.entries()) {
    const path = `\`aliases[${index}]\` ("${alias.slice(0, 80)}")`;
    const fault = nameFault(alias);
    if (fault !== undefined) refuse(path, fault);
    if (alias === name) refuse(path, "is the tool's own name; remove it");
    if (aliases.indexOf(alias) !== index) refuse(path, "is a duplicate; remove one of the two");
  }
}

function checkContradictions(definition: PlainDefinition<never, unknown, never>, refuse: Refuse): void {
  const rows = definition.concurrency?.rules ?? [];
  for (const { value, other, why } of findContradictions(definition)) {
    refuse(
      `\`${keyPath(value.at)}\``,
      `contradicts \`${other.name}: ${String(other.value)}\`: ${why}; change one of the two`,
    );
  }
  const { metadata } = resolveMetadata(definition);
  const mayWrite = [metadata.concurrency, ...rows].some((row) => row.class === "WRITE_EXCLUSIVE");
  if (definition.concurrency?.key !== undefined && !mayWrite) {
    refuse("`concurrency.key`", "has no effect, since no call is WRITE_EXCLUSIVE; state that class or remove the key");
  }
  for (const [index, row] of rows.entries()) checkMilder(row, metadata, `concurrency.rules[${index}]`, refuse);
}

/** Refuses a row that is stricter than the tool's own values, on which an error falls back. */
function checkMilder(row: ConcurrencyRule<never>, own: ToolMetadata, path: string, refuse: Refuse): void {
  const values = [
    ["class", FIELDS.concurrency.class, own.concurrency.class] as const,
    ...VARYING_FLAGS.map((flag) => [flag, FIELDS.behavior[flag], own.behavior[flag]] as const),
  ];
  for (const [name, field, value] of values) {
    const stated = row[name];
    if (stated === undefined || !isLooser(field, value, stated)) continue;
    const remedy = "state the strictest value for the tool and let rows loosen it";
    refuse(`\`${path}.${name}\``, `is stricter than the tool's own ${name} ${String(value)}; ${remedy}`);
  }
}

function keyPath(keys: readonly (string | number)[]): string {
  return keys.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

function createShapes() {
  const texts = listOf("strings", aText);
  const entry: OptionKind = { expected: "an entry", fits: (value) => anObject.fits(value) || aFunction.fits(value) };
  const objects = listOf("objects", anObject);
  const line: OptionKind = {
    expected: "a sentence such as `Reading {path}`, or a function",
    fits: (value) => aText.fits(value) || aFunction.fits(value),
  };
  const key: OptionKind = {
    expected: "a member of the input such as `input.id`, `lower(input.id)` or `path(input.path)`, or a function",
    fits: (value) =>
      aFunction.fits(value) || (aText.fits(value) && new RegExp(RESOURCE_KEY_PATTERN, "u").test(value as string)),
  };
  const kinds: { readonly [name in KeyRow["kind"]]: OptionKind } = {
    text: aText,
    texts,
    schema: { expected: "a JSON Schema", fits: (value) => aBoolean.fits(value) || anObject.fits(value) },
    mark: { expected: "true", fits: (value) => value === true },
    coercion: { expected: 'true, false or `{ emptyText: "absent" }`', fits: isCoercion },
    outputCheck: kindOf(OUTPUT_CHECK),
    needs: anObject,
    entries: listOf("entries", entry),
    examples: objects,
    object: anObject,
    function: aFunction,
    anything,
  };
  const rows = TOOL_KEY_ROWS.filter(([, row]) => row.in === "both" || row.in === "definition");
  const perCall = FIELD_ENTRIES.filter(({ field }) => field.varies === true);
  return {
    rows,
    definition: Object.fromEntries(rows.map(([key, { kind }]) => [key, kinds[kind]])),
    /** Keys of a spec for the compiler only. A definition read from a spec may keep them. */
    specOnly: TOOL_KEY_ROWS.flatMap(([key, row]) => (row.in === "spec" ? [key] : [])),
    groups: {
      concurrency: { ...shapeOf("concurrency"), rules: objects, key },
      behavior: { ...shapeOf("behavior"), destination: aFunction },
      visibility: { ...shapeOf("visibility"), featureGate: aText, searchHint: aText, describe: aFunction },
      limits: shapeOf("limits"),
      needs: { env: texts, context: texts },
      display: { running: line, done: line, failed: line, rejected: line, progress: line },
    },
    rule: { when: aFunction, ...Object.fromEntries(perCall.map(({ name, field }) => [name, kindOf(field)])) },
    check: { that: aFunction, message: aText },
    example: { input: anObject, description: aText },
  };
}
