import { type Diagnostic, pluralize } from "@hasp/base/diagnostics";
import { groupBy, withoutTwins } from "@hasp/base/json";
import { findList } from "@hasp/compiler/diff";
import type { ReviewedFinding } from "./report.js";

/** Findings with one cause, and the tools and projects that they are about. */
export interface CauseGroup {
  readonly first: ReviewedFinding;
  readonly findings: readonly ReviewedFinding[];
  readonly message: string;
  /** A name for each tool of each project. */
  readonly tools: readonly string[];
  readonly projects: readonly string[];
  /** The number of tools and projects, such as `3 tools in 2 projects`; empty if there is one of each. */
  readonly extent: string;
  /** The place that all findings share. */
  readonly place: Diagnostic["location"];
  /** The shared definition that holds the place, such as `Owner`. */
  readonly definition: string | undefined;
}

/** Identifies what a finding says, wherever its lines have moved. */
export function identifyFinding({ code, tool, message, location }: Diagnostic): string {
  return JSON.stringify([code, tool, message, location?.uri, location?.pointer]);
}

/** Returns the name of the shared definition at a pointer. */
export function readDefinition(pointer: string | undefined): string | undefined {
  return /^\/(?:\$defs|definitions)\/([^/]+)/u.exec(pointer ?? "")?.[1];
}

/**
 * Groups findings at one place of a shared file, or with the same words, in the order of the first findings. Two of one
 * tool are two causes, since a group shows the first alone.
 */
export function groupByCause(findings: readonly ReviewedFinding[]): readonly CauseGroup[] {
  const placeOf = ({ severity, code, location }: Diagnostic): string =>
    JSON.stringify([severity, code, location?.uri, location?.range.start.offset]);
  const shared = new Set(
    Array.from(groupBy(findings, placeOf), ([place, sharing]) => (listSubjects(sharing).length > 1 ? place : "")),
  );
  const isOfMany = (finding: ReviewedFinding): boolean =>
    finding.location !== undefined && shared.has(placeOf(finding));
  const counts = new Map<string, number>();
  const keyOf = (finding: ReviewedFinding): string => {
    const { severity, code, message, tool, projects } = finding;
    if (isOfMany(finding)) return placeOf(finding);
    const list = findList(finding);
    const words = withoutProject(message, finding);
    // Tokens and lengths differ between tools. What loosens or breaks may differ in its numbers alone.
    const text = list === "loosens" || list === "breaks" ? words : words.replaceAll(/\d+/gu, "#");
    const own = JSON.stringify([severity, code, text, tool, projects]);
    const count = counts.get(own) ?? 0;
    counts.set(own, count + 1);
    return JSON.stringify([severity, code, text, count]);
  };
  return [...groupBy(findings, keyOf).values()].flatMap((group): readonly CauseGroup[] => {
    const [first] = group;
    if (first === undefined) return [];
    const isOnePlace = group.every((each) => placeOf(each) === placeOf(first));
    const tools = listSubjects(group).flatMap(([tool]) => tool ?? []);
    const projects = [...new Set(group.flatMap((each) => each.projects ?? []))];
    const extent = [
      ...(tools.length > 1 ? [pluralize(tools.length, "tool")] : []),
      ...(projects.length > 1 ? [pluralize(projects.length, "project")] : []),
    ].join(" in ");
    return [
      {
        first,
        findings: group,
        message: group.length > 1 ? withoutProject(first.message, first) : first.message,
        tools,
        projects,
        extent,
        place: isOnePlace ? first.location : undefined,
        definition: isOnePlace ? readDefinition(first.location?.pointer) : undefined,
      },
    ];
  });
}

/** Lists the tools of findings with their projects; the same name in another project is another tool. */
function listSubjects(findings: readonly ReviewedFinding[]): readonly (readonly [string | undefined, string])[] {
  return withoutTwins(
    findings.flatMap(({ tool, projects = [""] }) => projects.map((project) => [tool, project] as const)),
  );
}

/** Returns a message without the project that it begins with where it has no place. */
function withoutProject(message: string, { projects: [project] = [] }: ReviewedFinding): string {
  return project !== undefined && message.startsWith(`${project}: `) ? message.slice(project.length + 2) : message;
}
