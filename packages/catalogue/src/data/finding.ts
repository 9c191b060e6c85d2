import type { Diagnostic, Location } from "../../../compiler/src/diagnostics/diagnostic.js";
import { isUnproved } from "../../../compiler/src/diff/index.js";
import type { Finding, FindingList, Place } from "../model.js";
import { cut } from "./cut.js";

export function findingOf({ severity, code, message, help, tool, location }: Diagnostic): Finding {
  return {
    severity,
    code,
    message: cut(message, LONGEST_MESSAGE),
    ...(help === undefined ? {} : { help: cut(help, LONGEST_MESSAGE) }),
    ...(tool === undefined ? {} : { tool }),
    ...(location === undefined ? {} : { place: placeOf(location) }),
    ...(isUnproved(code) ? { may: true as const } : {}),
  };
}

export function placeOf({ uri, range }: Location): Place {
  return { uri, line: range.start.line };
}

const LONGEST_MESSAGE = 2000;

/** Counts findings, and lists the most severe of them. */
export function findingList(diagnostics: readonly Diagnostic[], most: number): FindingList {
  const groups = SEVERITIES.map((severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity));
  const [error = 0, warning = 0, info = 0] = groups.map(({ length }) => length);
  return {
    total: diagnostics.length,
    counts: { error, warning, info },
    listed: groups.flat().slice(0, most).map(findingOf),
  };
}

const SEVERITIES: readonly Diagnostic["severity"][] = ["error", "warning", "info"];
