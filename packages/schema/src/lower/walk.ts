import type { JsonSchema, SchemaObject } from "../json-schema.js";

/** A schema object met on a walk, with the way to it. */
export interface Visit {
  readonly node: SchemaObject;
  readonly parent: Visit | undefined;
  readonly keyword: string;
  /** The name or index below the keyword; `undefined` where the keyword holds the schema itself. */
  readonly step: string | undefined;
}

/** Visits every schema object in a schema, outer ones first. */
export function walkSchema(root: JsonSchema, see: (visit: Visit) => void): void {
  if (typeof root !== "object") return;
  const pending: Visit[] = [{ node: root, parent: undefined, keyword: "", step: undefined }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    see(visit);
    for (const keyword of Object.keys(visit.node)) addInner(pending, visit, keyword, visit.node[keyword]);
  }
}

function addInner(pending: Visit[], parent: Visit, keyword: string, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  switch (keyword) {
    case "properties":
    case "patternProperties":
    case "dependentSchemas":
    case "$defs":
      for (const [step, inner] of Object.entries(value)) add(pending, parent, keyword, step, inner);
      return;
    case "prefixItems":
    case "anyOf":
    case "oneOf":
    case "allOf":
      (value as readonly unknown[]).forEach((inner, index) => add(pending, parent, keyword, String(index), inner));
      return;
    case "propertyNames":
    case "additionalProperties":
    case "unevaluatedProperties":
    case "items":
    case "contains":
    case "unevaluatedItems":
    case "not":
    case "if":
    case "then":
    case "else":
    case "contentSchema":
      add(pending, parent, keyword, undefined, value);
  }
}

function add(pending: Visit[], parent: Visit, keyword: string, step: string | undefined, node: unknown): void {
  if (typeof node === "object" && node !== null) pending.push({ node: node as SchemaObject, parent, keyword, step });
}

/** The JSON Pointer of a place on a walk. */
export function pointerTo(visit: Visit): string {
  const steps: string[] = [];
  for (let place = visit; place.parent !== undefined; place = place.parent) {
    steps.push(place.step === undefined ? place.keyword : `${place.keyword}/${escaped(place.step)}`);
  }
  return steps.length === 0 ? "" : `/${steps.toReversed().join("/")}`;
}

function escaped(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}
