import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS, type Limit, type ToolMetadata } from "@hasp/runtime";
import { CLASS_ORDER } from "../../model/class-order.js";
import type { SpecRule, ToolSpec } from "../../model/spec.js";
import type { Relaxation } from "../../model/tool.js";
import { ENTAILED_FLAGS } from "./metadata.js";

const FLAGS = ["isReadOnly", "isDestructive", "isIdempotent", "isOpenWorld", "requiresPermission"] as const;
const ROW_FLAGS = ["isReadOnly", "isDestructive", "isIdempotent", "requiresPermission"] as const;
const LIMITS = ["maxResultSizeChars", "timeoutSeconds", "maxRetries"] as const;

const WHOLE_INPUT: Relaxation["covers"] = { kind: "input" };

/**
 * Every claim of a spec that loosens a default, each as one canonical line, in the order of the format. What the class
 * READ_ONLY entails is part of that one claim. Claims of the input schema are found by `flatten`, which knows its
 * places.
 */
export function findRelaxations(spec: ToolSpec, own: ToolMetadata): readonly Relaxation[] {
  const { concurrency = {}, behavior = {}, limits = {} } = spec;
  const relaxations: Relaxation[] = [];
  const claim = (path: string, words: string, covers: Relaxation["covers"]): void => {
    relaxations.push({ claim: `${path}: ${words}`, pointer: `/${path.replaceAll(".", "/")}`, covers });
  };

  if (concurrency.class !== undefined && concurrency.class !== FAIL_CLOSED_DEFAULTS.concurrency.class) {
    claim("concurrency.class", concurrency.class, WHOLE_INPUT);
  }
  for (const [index, rule] of (concurrency.rules ?? []).entries()) {
    if (!isMilder(rule, own)) continue;
    const earlier = (concurrency.rules ?? []).slice(0, index).map(conditionOf);
    relaxations.push({
      claim: `concurrency.rules: ${rowLine(rule)}`,
      pointer: `/concurrency/rules/${index}`,
      covers: { ...coverageOf(rule), ...(earlier.length > 0 ? { after: earlier } : {}) },
    });
  }
  for (const name of FLAGS) {
    const value = behavior[name];
    const isEntailed = concurrency.class === "READ_ONLY" && Object.hasOwn(READ_ONLY_ENTAILS, name);
    if (value === undefined || value === FAIL_CLOSED_DEFAULTS.behavior[name] || isEntailed) continue;
    if (typeof value === "object") claim(`behavior.${name}`, flagLine(value), coverageOf(value));
    else claim(`behavior.${name}`, String(value), WHOLE_INPUT);
  }
  for (const name of LIMITS) {
    const value = limits[name];
    if (value !== undefined && isAbove(value, FAIL_CLOSED_DEFAULTS.limits[name])) {
      claim(`limits.${name}`, String(value), WHOLE_INPUT);
    }
  }
  return relaxations;
}

/** Whether a row loosens anything that holds where no row matches. */
function isMilder(rule: SpecRule, own: ToolMetadata): boolean {
  if (CLASS_ORDER.indexOf(rule.class) > CLASS_ORDER.indexOf(own.concurrency.class)) return true;
  if (rule.class === "READ_ONLY" && ENTAILED_FLAGS.some((name) => own.behavior[name] !== READ_ONLY_ENTAILS[name])) {
    return true;
  }
  return ROW_FLAGS.some((name) => {
    const value = rule[name];
    return value !== undefined && value !== own.behavior[name] && value !== FAIL_CLOSED_DEFAULTS.behavior[name];
  });
}

function isAbove(limit: Limit, bound: Limit): boolean {
  return bound !== "unlimited" && (limit === "unlimited" || limit > bound);
}

/** A condition as a spec writes it: of a row, or of a flag that varies alone. */
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
  for (const name of ROW_FLAGS) {
    if (rule[name] !== undefined) fields.push(`${name}: ${rule[name]}`);
  }
  return `{ ${fields.join(", ")} }`;
}

/** An expression in quotes, on one line; the name of a function as it is. */
function quoted(key: string, text: string): string {
  return key === "custom" ? text : JSON.stringify(text.trim());
}
