import { STRING } from "../../json/type-mask.js";
import type { Bound } from "../../resolve/types.js";
import { residual } from "../conjunction/diagnostics.js";
import { mergeCounts } from "./counts.js";
import type { Merge } from "./merge.js";
import { conjoinPatterns } from "./conjoin-patterns.js";

/** Maps the distinct values of one keyword to the first part that has each. */
function distinct(parts: readonly Bound[], keyword: "pattern" | "format"): Map<string, Bound> {
  const found = new Map<string, Bound>();
  for (const part of parts) {
    const value = part.keywords[keyword];
    if (value !== undefined && !found.has(value)) found.set(value, part);
  }
  return found;
}

export function mergeStrings(merge: Merge): void {
  mergeCounts(merge, "minLength", "maxLength", STRING);
  for (const keyword of ["pattern", "format"] as const) {
    if (merge.parts.every((part) => part.keywords[keyword] === undefined)) continue;
    const values = distinct(merge.parts, keyword);
    const [only] = values.keys();
    if (only === undefined) continue;
    const joined = values.size === 1 ? only : keyword === "pattern" ? conjoinPatterns([...values.keys()]) : undefined;
    if (joined !== undefined) {
      merge.out[keyword] = joined;
      continue;
    }
    for (const value of values.keys()) merge.residual({ [keyword]: value });
    const origins = [...values.values()].map((part) => merge.origin(part, keyword));
    merge.report(residual(keyword, origins));
  }
  const content = merge.parts.find(({ keywords }) => keywords.contentSchema !== undefined)?.keywords.contentSchema;
  if (content !== undefined) merge.out.contentSchema = merge.build([content], "child");
}
