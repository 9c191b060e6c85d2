import {
  entailedBy,
  FIELD_ENTRIES,
  type Field,
  type FieldEntry,
  type FieldPath,
  isLooser,
} from "@hasp/runtime/contract";
import { groupBy } from "@hasp/base/json";
import type { PendingClaim } from "./claims.js";

export type Risk = "high" | "medium" | "low";

/** Claims of one kind and risk from any tools. */
export interface ClaimGroup {
  /** The shared text; `…` stands for differing parts. */
  readonly kind: string;
  readonly risk: Risk;
  /** True if all texts are equal, so that reading one is enough. */
  readonly isUniform: boolean;
  readonly claims: readonly PendingClaim[];
}

const RISKIEST_FIRST: readonly Risk[] = ["high", "medium", "low"];

/** High: a call does harm unasked. Medium: a host would have prevented the harm. Low: it costs time or tokens. */
const RISKS: { readonly [path in FieldPath]: Risk } = {
  "concurrency.class": "medium",
  "behavior.isReadOnly": "high",
  "behavior.isDestructive": "high",
  "behavior.isIdempotent": "medium",
  "behavior.isOpenWorld": "medium",
  "behavior.returnsUntrusted": "medium",
  "behavior.returnsPrivate": "medium",
  "behavior.requiresPermission": "high",
  "behavior.requiresUserInteraction": "low",
  "behavior.interruptBehavior": "low",
  "behavior.abortsSiblingsOnError": "low",
  "visibility.load": "low",
  "limits.maxResultSizeChars": "low",
  "limits.timeoutSeconds": "low",
  "limits.maxRetries": "medium",
};

/** Groups claims by kind: riskiest first, then most frequent. */
export function groupClaims(claims: readonly PendingClaim[]): readonly ClaimGroup[] {
  const groups = groupBy(claims, ({ claim }) => `${rateRisk(claim)} ${kindOf(claim)}`);
  return [...groups.values()]
    .map((members): ClaimGroup => {
      const first = members[0]?.claim ?? "";
      const isUniform = members.every(({ claim }) => claim === first);
      return {
        kind: kindOf(first),
        risk: rateRisk(first),
        isUniform: isUniform && kindOf(first) === first,
        claims: members,
      };
    })
    .toSorted(
      (left, right) =>
        RISKIEST_FIRST.indexOf(left.risk) - RISKIEST_FIRST.indexOf(right.risk) ||
        right.claims.length - left.claims.length ||
        (left.kind < right.kind ? -1 : 1),
    );
}

/** Rates a claim by the riskiest value that it states or entails; a claim about no field is high. */
export function rateRisk(claim: string): Risk {
  const [path, value] = partsOf(claim);
  if (path.startsWith("input") || path === "concurrency.key" || path === "behavior.destination") return "medium";
  if (path === "concurrency.rules") {
    // Conditions may contain any text.
    const stated = value.replace(/"(?:[^"\\]|\\.)*"/gu, "").matchAll(/\b(\w+): (\w+)/gu);
    return riskiest([...stated].flatMap(([, name = "", word = ""]) => risksOf(fieldNamed(name), word)));
  }
  const entry = FIELD_ENTRIES.find((each) => each.path === path);
  return entry === undefined ? "high" : riskiest([RISKS[entry.path], ...risksOf(entry, value)]);
}

function risksOf(entry: FieldEntry | undefined, word: string): readonly Risk[] {
  const entailed = entry?.path === "concurrency.class" ? Object.entries(entailedBy(word)) : [];
  const values = [
    [entry, word] as const,
    ...entailed.map(([name, value]) => [fieldNamed(name), String(value)] as const),
  ];
  return values.flatMap(([each, text]) => {
    if (each === undefined) return [];
    return isLooser(each.field, wordOf(each.field, text), each.field.strict) ? [RISKS[each.path]] : [];
  });
}

function riskiest(risks: readonly Risk[]): Risk {
  return RISKIEST_FIRST.find((risk) => risks.includes(risk)) ?? "low";
}

/** Replaces conditions, numbers and places with `…`. */
function kindOf(claim: string): string {
  const [path, value] = partsOf(claim);
  if (path.startsWith("input")) return "input…: true";
  const field = FIELD_ENTRIES.find((each) => each.path === path)?.field;
  const isWord = field === undefined ? !value.startsWith("{") : wordOf(field, value) !== undefined;
  return isWord ? claim : `${path}: …`;
}

function partsOf(claim: string): readonly [path: string, value: string] {
  const at = claim.startsWith("input") ? claim.lastIndexOf(": ") : claim.indexOf(": ");
  return [claim.slice(0, at), claim.slice(at + 2)];
}

function fieldNamed(name: string): FieldEntry | undefined {
  return FIELD_ENTRIES.find((each) => each.name === name);
}

function wordOf(field: Field, text: string): boolean | string | undefined {
  return "values" in field ? field.values.find((value) => String(value) === text) : undefined;
}
