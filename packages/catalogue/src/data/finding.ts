import { dropUndefined } from "@hasp/base/json";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { isUnproved, type ListCost } from "@hasp/compiler/diff";
import type { Changes, Finding, FindingList, Place } from "../model.js";
import { cut } from "./cut.js";
import { createComparisonLists } from "@hasp/report";

function createFinding({ severity, code, message, help, tool, location }: Diagnostic): Finding {
  return dropUndefined({
    severity,
    code,
    message: cut(message, LONGEST_MESSAGE),
    help: help && cut(help, LONGEST_MESSAGE),
    tool,
    place: location && createPlace(location),
    may: isUnproved(code) ? (true as const) : undefined,
  });
}

export function createPlace({ uri, range, pointer }: Location): Place {
  const definition = /^\/(?:\$defs|definitions)\/([^/]+)/u.exec(pointer)?.[1];
  return dropUndefined({ uri, line: range.start.line, definition });
}

const LONGEST_MESSAGE = 2000;

export function listFindings(diagnostics: readonly Diagnostic[], most: number): FindingList {
  const groups = SEVERITIES.map((severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity));
  const [error = 0, warning = 0, info = 0] = groups.map(({ length }) => length);
  return {
    total: diagnostics.length,
    counts: { error, warning, info },
    listed: groups.flat().slice(0, most).map(createFinding),
  };
}

const SEVERITIES: readonly Diagnostic["severity"][] = ["error", "warning", "info"];

const MOST_FINDINGS = 500;

export function createChanges(diagnostics: readonly Diagnostic[], costs: readonly ListCost[], base: string): Changes {
  return {
    base,
    lists: createComparisonLists(diagnostics).map(({ list, title, empty, found }) => ({
      kind: list,
      title,
      empty,
      findings: listFindings(found, MOST_FINDINGS),
    })),
    costs: costs.map((cost) => ({ ...cost })),
  };
}
