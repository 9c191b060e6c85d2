import {
  findOrAdd,
  isStructured,
  cloneJson,
  type JsonValue,
  appendToPointer,
  setOwn,
  writeReference,
} from "@hasp/base/json";
import type { Origin, SchemaDiagnostic } from "@hasp/base/diagnostics";
import type { JsonSchema, SchemaObject, MutableSchema } from "../vocabulary/json-schema.js";
import { mayWiden, findContestedLocation } from "./closing-conflicts.js";
import {
  createDefinitions,
  type NamedDefinition,
  type FindDefinition,
  decides,
  declares,
  findInPlace,
  mayBeObject,
  findSoleObjectBranch,
  speaksOfKeys,
  listInnerSchemas,
  findApplication,
} from "./same-location.js";
import { depthDiagnostics } from "../diagnostics/define-diagnostics.js";
import { closeDiagnostics } from "./diagnostics.js";
import { NameTests } from "../patterns/linear-pattern.js";
import { describesAnyValue, holdsSchemas } from "../vocabulary/keywords.js";
import { mapSubschemas, pointerTo } from "../vocabulary/walk-schema.js";

export interface CloseOptions {
  /** Returns the origins of the schema's nodes, as `flatten` gives them; handed on to diagnostics and the result. */
  readonly originsOf?: (node: object) => readonly Origin[];
}

export interface CloseResult {
  /** Accepts what the input accepts, less the objects with undeclared keys at locations where nothing was said about them. */
  readonly schema: JsonSchema;
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** Returns the origins of a node of the result, by identity. */
  originsOf(node: object): readonly Origin[];
}

const MAX_DEPTH = 512;
const MAX_VALUES = 1_000_000;

/** True if a schema is small and shallow enough to be walked; an object that contains itself is not. */
function isBounded(schema: JsonSchema): boolean {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  let count = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH || ++count > MAX_VALUES) return false;
    if (isStructured(value)) {
      for (const inner of Object.values(value) as unknown[]) {
        if (isStructured(inner)) stack.push({ value: inner, depth: depth + 1 });
        else if (depth === MAX_DEPTH || ++count > MAX_VALUES) return false;
      }
    }
  }
  return true;
}

/**
 * Closes a flat schema: each location of the instance where keys are declared and nothing says what happens to others
 * refuses others. It never widens, and narrows undeclared keys only. Nothing inside `not`, `if` or `contains` changes.
 * A location validated by one schema gets `additionalProperties: false`; one validated by branches gets
 * `unevaluatedProperties: false` around them.
 */
export function closeSchema(flat: JsonSchema, options: CloseOptions = {}): CloseResult {
  if (!isBounded(flat)) {
    return {
      schema: false,
      diagnostics: [depthDiagnostics("too-deep", { uri: "", pointer: "" }, { variant: "closed", limit: MAX_DEPTH })],
      originsOf: () => [],
    };
  }
  const { originsOf } = options;
  const closing = new Closing(flat, originsOf);
  const schema = closing.run();
  const { diagnostics, sources } = closing;
  const findOrigins = (node: object): readonly Origin[] => {
    const source = sources.get(node);
    if (originsOf !== undefined) return originsOf(source?.node ?? node);
    return source === undefined ? [] : [{ uri: "", pointer: source.pointer }];
  };
  return { schema, diagnostics, originsOf: findOrigins };
}

/** The use of a schema: the whole of a location (closed), a branch (closed below), or fixed, as inside `not`. */
type ClosingUse = "location" | "branch" | "fixed";

type Closer = "additionalProperties" | "unevaluatedProperties";

const SUFFIXES: Readonly<Record<ClosingUse, string>> = { location: "", branch: "Open", fixed: "Unclosed" };

interface UsedDefinition {
  readonly definition: NamedDefinition;
  readonly use: ClosingUse;
  schema: JsonSchema | undefined;
  readonly references: MutableSchema[];
}

class Closing {
  readonly diagnostics: SchemaDiagnostic[] = [];
  /** The node that each node of the result was made from, and its pointer; nodes that are not here are shared. */
  readonly sources: Map<object, { readonly node: SchemaObject; readonly pointer: string }> = new Map();
  readonly #root: JsonSchema;
  readonly #definitions: FindDefinition;
  readonly #originsOf: ((node: object) => readonly Origin[]) | undefined;
  readonly #used = new Map<string, UsedDefinition>();
  readonly #closers = new Map<SchemaObject, Closer | "none">();
  readonly #changing = new Map<SchemaObject, boolean>();
  readonly #tests = new NameTests();
  #isInDefinition = false;

  constructor(root: JsonSchema, originsOf: ((node: object) => readonly Origin[]) | undefined) {
    this.#root = root;
    this.#definitions = createDefinitions(root);
    this.#originsOf = originsOf;
  }

  run(): JsonSchema {
    const root = this.#visit(this.#root, "", "location");
    if (typeof root === "boolean" || this.#used.size === 0) return root;
    const names = new Set<string>();
    const written: [string, JsonSchema][] = [];
    for (const entry of this.#used.values()) {
      const { definition, use, schema, references } = entry;
      if (schema === undefined) continue;
      const alone = ![...this.#used.values()].some(
        (other) => other !== entry && other.definition.pointer === definition.pointer,
      );
      const base = (definition.name === "" ? "Root" : definition.name) + (alone ? "" : SUFFIXES[use]);
      let name = base;
      for (let count = 2; names.has(name); count++) name = `${base}${count}`;
      names.add(name);
      for (const node of references) node.$ref = writeReference(appendToPointer("/$defs", name));
      written.push([name, schema]);
    }
    const closed: MutableSchema = { ...root, $defs: Object.fromEntries(written) };
    this.sources.set(closed, this.sources.get(root) ?? { node: root, pointer: "" });
    return closed;
  }

  #origin(node: object, pointer: string): Origin {
    return this.#originsOf?.(node)[0] ?? { uri: "", pointer };
  }

  #report(diagnostic: SchemaDiagnostic): void {
    const { code, origin } = diagnostic;
    const known = this.diagnostics.some(
      (other) => other.code === code && other.origin.uri === origin.uri && other.origin.pointer === origin.pointer,
    );
    if (!known) this.diagnostics.push(diagnostic);
  }

  /** Copies a schema, closed as its use demands. `covered`: bareness was checked around it. */
  #visit(schema: JsonSchema, pointer: string, use: ClosingUse, covered = false): JsonSchema {
    if (typeof schema === "boolean") return schema;
    if (!covered && use !== "fixed") this.#reportBareObject(schema, pointer);
    // Definitions may be written once for each use, each with nodes of its own.
    if (!this.#isInDefinition && !hasInnerSchemas(schema)) {
      if (this.#originsOf === undefined) this.sources.set(schema, { node: schema, pointer });
      return schema;
    }
    // A mere reference adds nothing to its definition, which is visited once.
    const isReference = schema.$ref !== undefined && !hasAssertions(schema);
    if (!covered && use === "location" && !isReference) this.#reportContested(schema, pointer);
    const sole = use === "location" ? findSoleObjectBranch(schema, this.#definitions) : undefined;
    const keepOneOf = use !== "fixed" && this.#isAmbiguous(schema, pointer, use);
    const closed: MutableSchema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === "$defs" || keyword === "definitions") continue;
      const step = findApplication(keyword);
      if (step === undefined) {
        setOwn<unknown>(closed, keyword, cloneJson(value as JsonValue));
        continue;
      }
      const fixed = use === "fixed" || step === "fixed" || (keyword === "oneOf" && keepOneOf);
      const useOf = (inner: JsonSchema): ClosingUse =>
        fixed ? "fixed" : step === "child" || inner === sole ? "location" : "branch";
      const visit = (inner: JsonSchema, at?: string): JsonSchema =>
        this.#visit(inner, pointerTo(pointer, keyword, at), useOf(inner), step === "branch");
      setOwn<unknown>(closed, keyword, mapSubschemas(keyword, value, visit));
    }
    const closer = use === "location" && sole === undefined ? this.#closer(schema) : undefined;
    if (closer !== undefined) closed[closer] = false;
    this.sources.set(closed, { node: schema, pointer });
    if (typeof schema.$ref === "string") this.#refer(schema.$ref, closed, schema, pointer, use);
    return closed;
  }

  /** Finds the keyword that closes a location; `undefined` if the author has decided or there is nothing to close. */
  #closer(schema: SchemaObject): Closer | undefined {
    const closer = findOrAdd(this.#closers, schema, () => this.#findCloser(schema) ?? "none");
    return closer === "none" ? undefined : closer;
  }

  #findCloser(schema: SchemaObject): Closer | undefined {
    const definitions = this.#definitions;
    if (schema.$ref !== undefined && !hasAssertions(schema)) return undefined;
    if (!mayBeObject(schema, definitions) || !declares(schema, definitions) || decides(schema, definitions)) {
      return undefined;
    }
    const own = schema.properties ?? {};
    const tested = schema.if === undefined ? [] : findInPlace(schema.if, definitions);
    const others = findInPlace(schema, definitions)
      .concat(tested)
      .filter((node) => node !== schema);
    const speaks = (node: SchemaObject): boolean =>
      (node.patternProperties ?? node.additionalProperties ?? node.unevaluatedProperties) !== undefined;
    const foreign = others.some(
      (node) => speaks(node) || Object.keys(node.properties ?? {}).some((name) => !Object.hasOwn(own, name)),
    );
    return foreign ? "unevaluatedProperties" : "additionalProperties";
  }

  #refer(reference: string, node: MutableSchema, source: SchemaObject, pointer: string, use: ClosingUse): void {
    const definition = this.#definitions(reference);
    if (definition === undefined) {
      this.#report(closeDiagnostics("not-flat", this.#origin(source, pointer), { reference }));
      return;
    }
    const { schema } = definition;
    const wanted = this.#useOfDefinition(schema, use === "location" && hasAssertions(source) ? "branch" : use);
    const key = keyOf(definition, wanted);
    let used = this.#used.get(key);
    if (used === undefined) {
      used = { definition, use: wanted, schema: undefined, references: [] };
      this.#used.set(key, used);
      const isInDefinition = this.#isInDefinition;
      this.#isInDefinition = true;
      used.schema = this.#visit(schema, definition.pointer, wanted);
      this.#isInDefinition = isInDefinition;
    }
    used.references.push(node);
  }

  /** Picks one use for all uses with the same result, so that they share one definition. */
  #useOfDefinition(schema: JsonSchema, use: ClosingUse): ClosingUse {
    if (use === "location" || typeof schema === "boolean") return "location";
    const closes = this.#closer(schema) !== undefined || findSoleObjectBranch(schema, this.#definitions) !== undefined;
    if (use === "fixed") return closes || this.#changesBelow(schema) ? "fixed" : "location";
    return closes ? "branch" : "location";
  }

  #isAmbiguous(schema: SchemaObject, pointer: string, use: ClosingUse): boolean {
    const { oneOf } = schema;
    if (oneOf === undefined) return false;
    const isClosed =
      schema.additionalProperties === false ||
      schema.unevaluatedProperties === false ||
      (use === "location" && this.#closer(schema) !== undefined);
    const ambiguous = mayWiden(
      oneOf,
      (inner) => this.#changesAt(inner),
      this.#definitions,
      isClosed ? schema : undefined,
    );
    if (ambiguous) {
      this.#report(closeDiagnostics("ambiguous-union", this.#origin(schema, `${pointer}/oneOf`), undefined));
    }
    return ambiguous;
  }

  #reportContested(schema: SchemaObject, pointer: string): void {
    const contest = findContestedLocation(schema, this.#definitions, (inner) => this.#changesAt(inner), this.#tests);
    if (contest === undefined) return;
    const { step, severity } = contest;
    if (step === undefined) {
      const where = this.#origin(schema, pointer);
      this.#report(closeDiagnostics("contested-place", where, { variant: "tooMany" }, { severity }));
      return;
    }
    const variant =
      severity === "warning" ? (step === "" ? "branchesInside" : "branchesKey") : step === "" ? "inside" : "key";
    this.#report(
      closeDiagnostics("contested-place", this.#origin(schema, pointer), { variant, key: step }, { severity }),
    );
  }

  /** True if closing would change what a schema says about locations inside the value that it validates. */
  #changesBelow(schema: JsonSchema): boolean {
    return findInPlace(schema, this.#definitions).some((node) =>
      listInnerSchemas(node, "child").some(({ schema: child }) => this.#changesAt(child)),
    );
  }

  /** True if closing would change a schema that validates a location of its own, there or further in. */
  #changesAt(start: JsonSchema): boolean {
    if (typeof start === "boolean") return false;
    const known = this.#changing.get(start);
    if (known !== undefined) return known;
    const seen = new Set<SchemaObject>(findInPlace(start, this.#definitions));
    let answer = false;
    for (const node of seen) {
      if (this.#changing.get(node) === false) continue;
      answer = this.#changing.get(node) === true || this.#closer(node) !== undefined;
      if (answer) break;
      for (const { schema: child } of listInnerSchemas(node, "child")) {
        for (const inner of findInPlace(child, this.#definitions)) seen.add(inner);
      }
    }
    this.#changing.set(start, answer);
    if (!answer) for (const node of seen) this.#changing.set(node, false);
    return answer;
  }

  /** Reports `type: object` that says nothing about keys, here or in schemas around and below it at this location. */
  #reportBareObject(schema: SchemaObject, pointer: string, around = false): void {
    if (!hasInnerSchemas(schema) && schema.type !== "object" && !Array.isArray(schema.type)) return;
    const definitions = this.#definitions;
    const speaks =
      around ||
      speaksOfKeys(schema) ||
      listInnerSchemas(schema, "branch").some(({ schema: branch }) =>
        findInPlace(branch, definitions).some(speaksOfKeys),
      );
    const { type } = schema;
    const named = type === "object" || (Array.isArray(type) && type.includes("object"));
    const target = schema.$ref === undefined ? undefined : definitions(schema.$ref)?.schema;
    const referred = target !== undefined && findInPlace(target, definitions).some(speaksOfKeys);
    if (named && !speaks && !referred) {
      this.#report(closeDiagnostics("bare-object", this.#origin(schema, pointer), undefined));
      return;
    }
    const inner =
      around ||
      speaksOfKeys(schema) ||
      referred ||
      (schema.allOf ?? []).some((branch) => findInPlace(branch, definitions).some(speaksOfKeys));
    for (const { keyword, step, schema: branch } of listInnerSchemas(schema, "branch")) {
      if (typeof branch === "object") this.#reportBareObject(branch, pointerTo(pointer, keyword, step), inner);
    }
  }
}

function keyOf({ pointer }: NamedDefinition, use: ClosingUse): string {
  return `${use} ${pointer}`;
}

function hasInnerSchemas(schema: SchemaObject): boolean {
  for (const keyword in schema) if (keyword === "$ref" || holdsSchemas(keyword)) return true;
  return false;
}

function hasAssertions(schema: SchemaObject): boolean {
  return Object.keys(schema).some(
    (keyword) => keyword !== "$ref" && keyword !== "$defs" && keyword !== "definitions" && !describesAnyValue(keyword),
  );
}
