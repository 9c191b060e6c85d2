import { dropUndefined } from "@hasp/base/json";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { isUnproved, type ListCost } from "@hasp/compiler/diff";
import type { Changes, Finding, FindingList, Place } from "../model.js";
import { cut } from "./cut.js";
import {
  type CauseGroup,
  createComparisonLists,
  groupByCause,
  readDefinition,
  type ReviewedFinding,
  sortBySeverity,
} from "@hasp/report";

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
  return dropUndefined({ uri, line: range.start.line, definition: readDefinition(pointer) });
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

/** Creates one finding for all that have a cause in common. */
function createGroup({ first, findings, tools, projects, place }: CauseGroup): Finding {
  const { by } = first;
  const one = createFinding(first);
  if (findings.length === 1 && projects.length < 2) return dropUndefined({ ...one, by });
  return dropUndefined({
    ...one,
    tool: tools.length > 1 ? undefined : one.tool,
    place: place && createPlace(place),
    count: findings.length,
    tools: tools.length > 1 ? tools : undefined,
    projects: projects.length > 1 ? projects : undefined,
    by,
  });
}

export function createChanges(
  diagnostics: readonly ReviewedFinding[],
  costs: readonly ListCost[],
  base: string,
): Changes {
  return {
    base,
    lists: createComparisonLists(diagnostics).map(({ list, title, empty, found }) => ({
      kind: list,
      title,
      empty,
      findings: {
        ...listFindings(found, 0),
        listed: groupByCause(sortBySeverity(found)).slice(0, MOST_FINDINGS).map(createGroup),
      },
    })),
    costs: costs.map((cost) => ({ ...cost })),
  };
}
