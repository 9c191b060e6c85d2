import { appendToPointer } from "@hasp/base/json";
import type { Location } from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import type { FindingSetting } from "./config.js";

/** An entry of `findings`, from the project's own configuration or a preset. */
export interface PlacedSetting {
  readonly entry: FindingSetting;
  /** Locates the entry, or one of its keys. */
  locate(key?: keyof FindingSetting): Location;
}

type FindingPlan = Pick<CompilePlan, "rules" | "overrides" | "ignore" | "exclude">;

type Located = readonly [pointer: string, location: Location];

interface SortedFindings {
  readonly plan: FindingPlan;
  /** The locations of entries, by JSON Pointer into the plan. */
  readonly locations: readonly Located[];
}

/** Sorts the entries of `findings` by what they decide. */
export function sortFindings(settings: readonly PlacedSetting[]): SortedFindings {
  const rules: { [id: string]: FindingPlan["rules"][string] } = {};
  const overrides: FindingPlan["overrides"][number][] = [];
  const ignore: FindingPlan["ignore"][number][] = [];
  const exclude: FindingPlan["exclude"][number][] = [];
  const locations = settings.flatMap(({ entry, locate }): readonly Located[] => {
    const { in: path = "", rule = "", severity, reason = "" } = entry;
    if (severity === "exclude") return [[`/exclude/${exclude.push({ tool: path, reason }) - 1}`, locate()]];
    if (severity === undefined) return [[`/ignore/${ignore.push({ rule, path, reason }) - 1}`, locate()]];
    if (entry.in === undefined) {
      rules[rule] = severity;
      return [[appendToPointer("/rules", rule), locate()]];
    }
    const at = `/overrides/${overrides.push({ path, rules: { [rule]: severity } }) - 1}`;
    return [
      [`${at}/path`, locate("in")],
      [appendToPointer(`${at}/rules`, rule), locate()],
    ];
  });
  return { plan: { rules, overrides, ignore, exclude }, locations };
}
