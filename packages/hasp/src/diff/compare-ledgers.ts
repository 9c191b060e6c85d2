import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { locateClaim } from "../ledger/check-ledger.js";
import { coverageOf, isCovered } from "../ledger/coverage.js";
import { DECLARED_PARTS, handlerDigestsOf } from "../ledger/covered-handlers.js";
import { readLedgerFile, type LedgerEntry } from "../ledger/ledger-file.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { diffDiagnostics } from "./diagnostics.js";
import { obstaclesTo } from "./inclusion/index.js";
import type { Version } from "./version.js";

/**
 * Finds approvals that a change gives itself (for a new claim, for one that waited, or for longer than before), and
 * claims that may cover other calls than those that were approved.
 */
export function compareLedgers(before: Version, after: Version): readonly Diagnostic[] {
  const [oldEntries, newEntries] = [entriesOf(before), entriesOf(after)];
  const [oldHandlers, newHandlers] = [
    handlerDigestsOf(before.tools, before.plan),
    handlerDigestsOf(after.tools, after.plan),
  ];
  return after.tools.flatMap((tool) => {
    const earlier = before.tools.find(({ name }) => name === tool.name);
    return tool.relaxations.flatMap((relaxation): readonly Diagnostic[] => {
      const { claim } = relaxation;
      const entry = newEntries.get(`${tool.name} ${claim}`);
      const oldEntry = oldEntries.get(`${tool.name} ${claim}`);
      const old = earlier?.relaxations.find((each) => each.claim === claim);
      const given = entry === undefined ? [] : approvalGiven(tool, entry, oldEntry, old !== undefined);
      if (earlier === undefined || old === undefined) return given;
      const coverage = coverageOf(tool, relaxation, newHandlers.get(tool.name));
      const oldCoverage = coverageOf(earlier, old, oldHandlers.get(tool.name));
      const isOther = coverage.digest !== oldCoverage.digest;
      const isOtherHandler = DECLARED_PARTS.some((part) => coverage.parts[part] !== oldCoverage.parts[part]);
      const isRenewed = entry !== undefined && isCovered(entry.covers, coverage);
      return isOther ? [...given, ...coversOther(tool, earlier, relaxation, { isRenewed, isOtherHandler })] : given;
    });
  });
}

function approvalGiven(
  tool: FlatTool,
  entry: LedgerEntry,
  earlier: LedgerEntry | undefined,
  wasClaimed: boolean,
): readonly Diagnostic[] {
  const { claim, reason, expires, location } = entry;
  const details = { tool: tool.name };
  if (earlier === undefined) {
    return [diffDiagnostics(wasClaimed ? "approved-here" : "self-approved", location, { claim, reason }, details)];
  }
  if (entry.contradicts !== undefined && entry.contradicts !== earlier.contradicts) {
    return [diffDiagnostics("approved-here", location, { claim, reason }, details)];
  }
  const isLonger = earlier.expires !== undefined && (expires === undefined || expires > earlier.expires);
  if (!isLonger) return [];
  const parameters = { claim, before: earlier.expires, after: expires === undefined ? "never" : `on ${expires}` };
  return [diffDiagnostics("approval-prolonged", location, parameters, details)];
}

function coversOther(
  tool: FlatTool,
  earlier: FlatTool,
  relaxation: Relaxation,
  { isRenewed, isOtherHandler }: { readonly isRenewed: boolean; readonly isOtherHandler: boolean },
): readonly Diagnostic[] {
  // An unconditional claim covers more only if the input accepts more, or the handler does something else.
  const isUnconditional = relaxation.covers.kind === "input" && !isOtherHandler;
  if (isUnconditional && obstaclesTo(tool.input.schema, earlier.input.schema).length === 0) {
    return [];
  }
  const parameters = { variant: isRenewed ? "renewed" : "waiting", claim: relaxation.claim } as const;
  return [diffDiagnostics("covers-changed", locateClaim(tool, relaxation), parameters, { tool: tool.name })];
}

function entriesOf({ ledgers }: Version): ReadonlyMap<string, LedgerEntry> {
  return new Map(
    ledgers
      .map(readLedgerFile)
      .flatMap(({ tool, entries }) => entries.map((entry) => [`${tool} ${entry.claim}`, entry])),
  );
}
