import { FIELD_ENTRIES, type FieldEntry, type FieldGroup, isLooser, isSecretSchema } from "@hasp/runtime/contract";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { locateClaim } from "../ledger/claims.js";
import { isSameJson, type JsonValue, parsePointer, readOwnMember } from "@hasp/base/json";
import { removeSecrets } from "@hasp/runtime/internal";
import type { FlatSchema, FlatTool, Relaxation } from "../model/tool.js";
import { checkText, createPropertiesPointer } from "./compare-input.js";
import { diffDiagnostics } from "./diagnostics.js";
import { sampleValues } from "@hasp/schema/internal/generate";
import { keywordRow, linearPattern } from "@hasp/schema/vocabulary";
import type { SchemaNode } from "../model/schemas.js";

export function compareFields(group: FieldGroup, before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  return findLoosenedFields(before, after).flatMap((field) =>
    field.group === group && field.diagnostic !== undefined ? [field.diagnostic] : [],
  );
}

export function listAddedClaims(tool: FlatTool): readonly Diagnostic[] {
  return tool.relaxations.map((relaxation) => claimAdded(tool, relaxation));
}

function claimAdded(tool: FlatTool, relaxation: Relaxation): Diagnostic {
  return diffDiagnostics("claim-added", locateClaim(tool, relaxation), { claim: relaxation.claim });
}

interface LoosenedField {
  readonly group: FieldGroup;
  readonly name: string;
  /** Missing if the looser class entails the field and is one claim with it. */
  readonly diagnostic: Diagnostic | undefined;
}

export function findLoosenedFields(before: FlatTool, after: FlatTool): readonly LoosenedField[] {
  const valueIn = ({ metadata }: FlatTool, { group, name }: FieldEntry): unknown =>
    readOwnMember(metadata[group], name);
  const looser = FIELD_ENTRIES.filter((entry) => isLooser(entry.field, valueIn(after, entry), valueIn(before, entry)));
  return looser.map((entry) => {
    const { group, name, path } = entry;
    const isWritten = Object.hasOwn(after.spec[group] ?? {}, name);
    const isEntailed =
      !isWritten && after.stated.has(path) && looser.some((other) => other.path === "concurrency.class");
    const location =
      isWritten || !Object.hasOwn(after.spec, group)
        ? after.locate(isWritten ? `/${group}/${name}` : "/name")
        : after.locate(`/${group}`, "key");
    const parameters = {
      field: path,
      before: String(valueIn(before, entry)),
      after: String(valueIn(after, entry)),
    };
    const diagnostic = diffDiagnostics("loosened", location, parameters);
    return { group, name, diagnostic: isEntailed ? undefined : diagnostic };
  });
}

/** Finds new claims that no call can show. */
export function listAddedClaimsBelow(place: string, before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const known = new Set(before.relaxations.map(({ claim }) => claim));
  return after.relaxations
    .filter(({ claim, pointer }) => pointer.startsWith(place) && !known.has(claim))
    .map((relaxation) => claimAdded(after, relaxation));
}

/** Compares the variables and members of the context that a tool needs. */
export function compareNeeds({ spec }: FlatTool, after: FlatTool): readonly Diagnostic[] {
  return (["env", "context"] as const).flatMap((list) => {
    const [was, is] = [spec.needs?.[list] ?? [], after.spec.needs?.[list] ?? []];
    const key = `needs.${list}`;
    const gone = after.locate(after.spec.needs === undefined ? "/name" : "/needs", "key");
    return [
      ...was
        .filter((name) => !is.includes(name))
        .map((name) => diffDiagnostics("needs-gone", gone, { name, list: key })),
      ...is.flatMap((name, index) => {
        if (was.includes(name)) return [];
        const location = after.locate(`/needs/${list}/${index}`);
        const isWider = list === "env" && (after.startsProgram || after.spec.handler?.isolation !== undefined);
        return [
          diffDiagnostics("needs-added", location, { name, list: key }),
          ...(isWider ? [diffDiagnostics("environment-widened", location, { name })] : []),
        ];
      }),
    ];
  });
}

export function compareIsolation(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const [old, now] = [before.spec.handler?.isolation, after.spec.handler?.isolation];
  if (old === undefined) return [];
  if (now === undefined) {
    const location = after.locate(after.spec.handler === undefined ? "/name" : "/handler", "key");
    return [diffDiagnostics("isolation-loosened", location, { variant: "gone" })];
  }
  const limits = (Object.keys(old) as readonly (keyof typeof old)[]).filter(
    (limit) => (now[limit] ?? Infinity) > (old[limit] ?? Infinity),
  );
  return limits.map((limit) => {
    const location = after.locate(now[limit] === undefined ? "/handler/isolation" : `/handler/isolation/${limit}`);
    const parameters = { limit, before: String(old[limit]), after: String(now[limit] ?? "unlimited") };
    return diffDiagnostics("isolation-loosened", location, { variant: "limit", ...parameters });
  });
}

export function findRemovedChecks(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const kept = new Set(after.checks.map(checkText));
  const location = after.locate(after.spec.validate === undefined ? "/name" : "/validate", "key");
  return before.checks
    .map(checkText)
    .filter((text) => !kept.has(text))
    .map((check) => diffDiagnostics("check-gone", location, { check }));
}

/**
 * Finds values that are no longer secret. A value at a new place is matched by its name; and where another keyword than
 * before describes a place, samples show what was hidden and is no longer.
 */
export function findShownSecrets(
  part: "input" | "output",
  { [part]: before }: FlatTool,
  { [part]: after }: FlatTool,
): readonly Diagnostic[] {
  if (before === undefined || after === undefined) return [];
  const [old, now] = [secretsIn(before), secretsIn(after)];
  const names = new Set(before.nodes.filter((node) => old.isHidden(placeOf(node))).map(({ property }) => property));
  const shown = new Map<string, SchemaNode>();
  for (const node of after.nodes) {
    const place = placeOf(node);
    if (now.isHidden(place) || shown.has(place)) continue;
    const isMoved = node.property !== undefined && !old.places.has(place) && names.has(node.property);
    if (isMoved || old.marked.has(place)) shown.set(place, node);
  }
  const found = new Map([...shown.values()].map((node) => [nameOf(node) ?? part, node.pointer]));
  const declared = new Set(after.nodes.map(({ property }) => property));
  const mayUncover = old.marked.size > 0 && !isSameJson(before.schema as JsonValue, after.schema as JsonValue);
  for (const pointer of mayUncover ? findUncovered(before, after) : []) {
    const name = parsePointer(pointer).findLast((token) => declared.has(token)) ?? part;
    if (!found.has(name)) found.set(name, createPropertiesPointer(pointer));
  }
  return [...found].map(([name, pointer]) => diffDiagnostics("secret-shown", after.locate(pointer), { name, part }));
}

/** Lists places of sample values that were hidden from people and no longer are. */
function findUncovered({ schema: before }: FlatSchema, { schema: after }: FlatSchema): ReadonlySet<string> {
  const places = new Set<string>();
  for (const value of sampleValues(after, { beside: before })) {
    const [old = [], now = []] = [before, after].map(
      (schema) => removeSecrets(value, schema, { patterns: linearPattern }).hidden,
    );
    const isHidden = (place: string): boolean => now.some((each) => `${place}/`.startsWith(`${each}/`));
    for (const place of old) if (!isHidden(place)) places.add(place);
  }
  return places;
}

/** Lists the places of a schema's values, and the secret ones with everything below them. */
function secretsIn({ nodes }: FlatSchema): {
  readonly places: ReadonlySet<string>;
  readonly marked: ReadonlySet<string>;
  readonly isHidden: (place: string) => boolean;
} {
  const places = new Set(nodes.map(placeOf));
  const marked = new Set(nodes.filter(({ schema }) => isSecretSchema(schema)).map(placeOf));
  const isHidden = (place: string): boolean =>
    marked.has(place) || (place !== "" && isHidden(place.slice(0, place.lastIndexOf("/"))));
  return { places, marked, isHidden };
}

function placeOf({ pointer, parent, keyword }: SchemaNode): string {
  if (parent === undefined) return "";
  const row = keyword === undefined ? undefined : keywordRow(keyword);
  const isSamePlace = row?.applies === "inPlace" || (row?.applies === "test" && row.types === undefined);
  return placeOf(parent) + (isSamePlace ? "" : pointer.slice(parent.pointer.length));
}

function nameOf({ property, parent }: SchemaNode): string | undefined {
  return property ?? (parent && nameOf(parent));
}

/** Finds changed conditions for finding a tool: a gate, a user, a search. */
export function compareVisibility(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const [gate, now] = [before, after].map(({ spec }) => spec.visibility?.featureGate);
  if (gate !== undefined && gate !== now) {
    const location = after.locate(now === undefined ? "/name" : "/visibility/featureGate");
    found.push(diffDiagnostics("gate-gone", location, { gate }));
  }
  if (now !== undefined && gate !== now) {
    found.push(diffDiagnostics("gate-added", after.locate("/visibility/featureGate"), { gate: now }));
  }
  if (after.metadata.behavior.requiresUserInteraction && !before.metadata.behavior.requiresUserInteraction) {
    found.push(diffDiagnostics("interaction-added", after.locate("/behavior/requiresUserInteraction")));
  }
  const isDeferred = ({ metadata }: FlatTool): boolean => metadata.visibility.load === "deferred";
  if (isDeferred(after) && !isDeferred(before)) {
    found.push(diffDiagnostics("deferred", after.locate("/visibility/load")));
  }
  return found;
}
