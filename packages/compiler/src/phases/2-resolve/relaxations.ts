import {
  entailedBy,
  FIELD_ENTRIES,
  FIELDS,
  isLooser,
  VARYING_FLAGS,
  type FieldGroup,
  type FlagValues,
} from "@hasp/runtime/contract";
import type { ConcurrencyClass, ToolMetadata } from "@hasp/runtime";
import { appendToPointer, isStructured, readOwnMember, parsePointer } from "@hasp/base/json";
import type { LoadedDocument } from "../../model/document.js";
import type { SpecRule } from "../../model/tool-spec.js";
import type { ToolSpec } from "../../model/spec-keys.js";
import type { Relaxation, ToolModel } from "../../model/tool.js";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { resolveDiagnostics } from "./diagnostics.js";

const WHOLE_INPUT: Relaxation["covers"] = { kind: "input" };

/** Finds every claim of a spec that loosens a default. Flags that a class entails belong to its claim. */
export function findRelaxations(spec: ToolSpec, own: ToolMetadata): readonly Relaxation[] {
  const entailed = entailedBy(spec.concurrency?.class);
  return FIELD_ENTRIES.flatMap(({ group, name, path, field }): readonly Relaxation[] => {
    const value = readOwnMember(spec[group], name);
    const isEntailed = group === "behavior" && Object.hasOwn(entailed, name);
    const claims: Relaxation[] = [];
    const claim = (words: string, covers: Relaxation["covers"]): void => {
      claims.push({ claim: `${path}: ${words}`, pointer: `/${group}/${name}`, covers });
    };
    if (isStructured(value)) claim(flagLine(value), coverageOf(value as Condition));
    else if (value !== undefined && !isEntailed && isLooser(field, value, field.strict)) {
      claim(String(value), WHOLE_INPUT);
    }
    if (path === "behavior.returnsPrivate") return [...claims, ...textClaims("behavior", "destination", spec)];
    if (path !== "concurrency.class") return claims;
    return [...claims, ...textClaims("concurrency", "key", spec), ...looseRows(spec.concurrency?.rules ?? [], own)];
  });
}

/** Returns the claim of a key whose value is a text over the input. */
function textClaims(group: FieldGroup, name: string, spec: ToolSpec): readonly Relaxation[] {
  const text = readOwnMember(spec[group], name);
  if (text === undefined) return [];
  const claim = `${group}.${name}: ${String(text).trim().replaceAll("\n", " ")}`;
  return [{ claim, pointer: `/${group}/${name}`, covers: WHOLE_INPUT }];
}

function looseRows(rules: readonly SpecRule[], own: ToolMetadata): readonly Relaxation[] {
  return rules.flatMap((rule, index) => {
    if (!isMilder(rule, own)) return [];
    const earlier = rules.slice(0, index).map(conditionOf);
    return {
      claim: `concurrency.rules: ${rowLine(rule)}`,
      pointer: `/concurrency/rules/${index}`,
      covers: { ...coverageOf(rule), ...(earlier.length > 0 ? { after: earlier } : {}) },
    };
  });
}

function isMilder(rule: SpecRule, { concurrency, behavior }: ToolMetadata): boolean {
  const row: { readonly class: ConcurrencyClass } & Partial<FlagValues> = { ...entailedBy(rule.class), ...rule };
  return (
    isLooser(FIELDS.concurrency.class, row.class, concurrency.class) ||
    VARYING_FLAGS.some((flag) => row[flag] !== undefined && isLooser(FIELDS.behavior[flag], row[flag], behavior[flag]))
  );
}

type Condition = { readonly when?: string } | { readonly unless: string } | { readonly custom: string };

function coverageOf(condition: Condition): Relaxation["covers"] {
  if ("custom" in condition && condition.custom !== undefined) return { kind: "custom", name: condition.custom };
  if ("unless" in condition) return { kind: "rule", source: condition.unless };
  return { kind: "rule", source: ("when" in condition ? condition.when : undefined) ?? "" };
}

function conditionOf(rule: SpecRule): string {
  return rule.custom === undefined ? (rule.when ?? "") : `custom ${rule.custom}`;
}

function flagLine(value: object): string {
  const [[key, text] = ["", ""]] = Object.entries(value);
  return `{ ${key}: ${quoted(key, String(text))} }`;
}

function rowLine(rule: SpecRule): string {
  const { when, custom } = rule;
  const fields = custom === undefined ? [`when: ${quoted("when", when ?? "")}`] : [`custom: ${custom}`];
  fields.push(`class: ${rule.class}`);
  for (const name of VARYING_FLAGS) {
    if (rule[name] !== undefined) fields.push(`${name}: ${rule[name]}`);
  }
  return `{ ${fields.join(", ")} }`;
}

/** Quotes an expression on one line, and leaves the name of a function as it is. */
function quoted(key: string, text: string): string {
  return key === "custom" ? text : JSON.stringify(text.trim());
}

/** Finds claims that come from a YAML alias: a change of the anchor would loosen every tool that repeats it. */
export function findInheritedClaims(tool: ToolModel): readonly Diagnostic[] {
  const pointers = new Set(
    tool.relaxations.flatMap(({ pointer }) => [...prefixesOf(pointer), ...pointersInside(tool.spec, pointer)]),
  );
  return (
    [...pointers]
      .map((pointer) => tool.locate(pointer))
      // Only an alias begins with an asterisk in YAML.
      .filter((location) => tool.document.text.charAt(location.range.start.offset) === "*")
      .map((location) => resolveDiagnostics("inherited-claim", location, undefined, { tool: tool.name }))
  );
}

export function mayHoldAliases({ text }: Pick<LoadedDocument, "text">): boolean {
  return /\*\S/u.test(text);
}

function prefixesOf(pointer: string): readonly string[] {
  const segments = pointer.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

function pointersInside(spec: object, pointer: string): readonly string[] {
  let value: unknown = spec;
  for (const token of parsePointer(pointer)) value = Object(value)[token];
  if (!isStructured(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const inside = appendToPointer(pointer, key);
    return [inside, ...pointersInside(spec, inside)];
  });
}
