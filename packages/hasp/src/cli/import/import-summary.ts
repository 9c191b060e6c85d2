import type { JsonValue } from "@hasp/schema";
import { tableLines } from "../../../../report/src/views/table.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import type { WrittenConnections } from "./write-connection.js";
import type { ImportedSpec } from "./write/put-settings.js";

interface SummarySettings {
  /** As named on the command line. */
  readonly out: string;
  readonly isCheck: boolean;
  /** True if the configuration does not cover the folder. */
  readonly isUnseen: boolean;
  readonly connections: WrittenConnections;
  /** The number of exact translations that were not listed. */
  readonly notes: number;
  /** Options that further commands need for the same project. */
  readonly place: string;
  /** Open inputs that nobody has approved, and the command that asks about them. */
  readonly approval: { readonly claims: number; readonly command: string };
}

/** Describes an import for people, with the steps to a first allowed call. */
export function importSummary(
  states: readonly ImportedSpec[],
  refused: readonly string[],
  settings: SummarySettings,
): string {
  const { out, isCheck, isUnseen, notes, place, connections, approval } = settings;
  const total = states.length + refused.length;
  const same = states.filter(({ state }) => state === "unchanged").length;
  if (isCheck) {
    return `${same} of ${pluralize(total, "tool")} in ${out} ${same === 1 ? "matches" : "match"} the source.\n`;
  }
  const lines = [
    `${states.length} of ${pluralize(total, "tool")} imported into ${out}${same === 0 ? "" : ` (${same} unchanged)`}`,
  ];
  if (notes > 0) {
    lines.push(
      `${pluralize(notes, "word")} of the source rewritten in JSON Schema, with the same meaning; --format json lists them`,
    );
  }
  const suggesting = states.filter(({ suggests }) => suggests).map(({ tool }) => tool);
  const claims = countClaims(suggesting.map(({ spec }) => spec["suggested"]));
  if (claims.length > 0) {
    lines.push("", "The source makes claims that no spec adopts yet (see `suggested` in each):");
    lines.push(
      ...tableLines([{ title: "" }, { title: "" }], claims)
        .slice(1)
        .map((line) => `  ${line}`),
    );
  }
  if (refused.length > 0) lines.push("", `Not imported: ${refused.map(visibleText).join(", ")}`);
  if (isUnseen) {
    lines.push(
      "",
      `No build will include them: "specs" in the configuration does not cover ${out}. Add it there, or import with another --out.`,
    );
  }
  lines.push(...connectionLines(connections));
  if (states.length > 0) {
    lines.push(
      "",
      "Next: read the specs, commit them with hasp-imports, which later updates need, and run `hasp check`.",
    );
    if (approval.claims > 0) {
      const wait = approval.claims === 1 ? "waits" : "wait";
      lines.push(
        `${pluralize(approval.claims, "place")} that the source leaves open ${wait} for an approval before a build: \`${approval.command}\`.`,
      );
    }
    const first = suggesting.find(({ spec }) => spec["suggested"] !== undefined);
    if (first !== undefined) {
      lines.push(
        `Approve the claims that you believe, tool by tool: \`hasp approve ${first.name} --suggested --yes --reason "why you believe it"${place}\`.`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Lists the added connections and the variables that calls need. */
function connectionLines({ added, path, missingPackages }: WrittenConnections): readonly string[] {
  if (added.length === 0) return [];
  const variables = new Map(
    added.flatMap(({ variables: own }) => own.map(({ name, holds }) => [name, holds] as const)),
  );
  const names = added.map(({ name }) => visibleText(name)).join(", ");
  return [
    "",
    `Added to ${path}: ${added.length === 1 ? "the connection" : "the connections"} ${names}.`,
    ...(variables.size === 0 ? [] : ["Set these variables in the environment of calls:"]),
    ...[...variables].map(([name, holds]) => `  ${name}: ${visibleText(holds)}`),
    ...(missingPackages.length === 0 ? [] : [`Install what calls need: npm install ${missingPackages.join(" ")}`]),
  ];
}

function countClaims(suggested: readonly (JsonValue | undefined)[]): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const claims of suggested) {
    if (typeof claims !== "object" || claims === null) continue;
    for (const [name, value] of Object.entries(claims)) {
      if (name === "from") continue;
      const claim = `${name}: ${String(value)}`;
      counts.set(claim, (counts.get(claim) ?? 0) + 1);
    }
  }
  const width = String(Math.max(...counts.values())).length;
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([claim, count]) => [claim, `${" ".repeat(width - String(count).length)}${pluralize(count, "tool")}`]);
}
