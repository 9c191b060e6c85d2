import { suggestionsFor } from "../diagnostics/closest.js";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import { groupBy } from "../model/group-by.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import type { Step } from "../phases/compile-cache.js";
import type { CompileContext } from "../phases/context.js";
import {
  changedParts,
  type Coverage,
  type CoveredPart,
  createCoverage,
  isCovered,
  obstacleTo,
  UNRECORDED_PART,
} from "./coverage.js";
import { type CoveredHandler, handlerDigestsOf } from "./covered-handlers.js";
import { ledgerDiagnostics, WAITING } from "./diagnostics.js";
import { readLedgerFile, type LedgerEntry, type LedgerFile } from "./ledger-file.js";

/**
 * Checks that the ledger approves every relaxation. With `plan.unlocked`, missing approvals are warnings. `declared`
 * also names tools with errors, whose ledgers are in use.
 */
export function checkLedger(
  tools: readonly FlatTool[],
  { plan, documents, each }: CompileContext,
  declared: readonly string[] = tools.map((tool) => tool.name),
): readonly Diagnostic[] {
  const files = documents.filter(({ role }) => role === "ledger").map(readLedgerFile);
  const byTool = groupBy(files, ({ tool }) => tool);
  const handlers = handlerDigestsOf(tools, plan);
  const diagnostics = [
    ...files.flatMap((file) => file.diagnostics),
    ...[...byTool.values()].flatMap(([first, ...others]) =>
      others.map(({ tool, document }) =>
        ledgerDiagnostics("two-ledgers", document.locate(""), { tool, path: first?.document.uri ?? "" }, { tool }),
      ),
    ),
  ];

  const known = new Set(declared);
  for (const { tool, document } of files) {
    if (known.has(tool)) continue;
    diagnostics.push(
      ledgerDiagnostics("unknown-tool", document.locate(""), { tool, nearest: suggestionsFor(tool, declared) }),
    );
  }
  const checking: Step<FlatTool, readonly Diagnostic[], readonly Diagnostic[]> = {
    name: "approvals",
    run(tool) {
      const [file, ...others] = byTool.get(tool.name) ?? [];
      // Nobody knows which of several ledgers applies, so none does.
      return others.length > 0 ? [] : findingsOf(tool, file, handlers.get(tool.name), plan);
    },
    save: (findings) => findings,
    restore: (findings) => findings,
  };
  const settings = ({ name }: FlatTool): string => {
    const ledger = (byTool.get(name) ?? []).map(({ document: { uri, text } }) => [uri, text]);
    return JSON.stringify([ledger, handlers.get(name), plan.today, plan.unlocked]);
  };
  return [...diagnostics, ...each("Checking approvals", checking, tools, settings).flat()];
}

function findingsOf(
  tool: FlatTool,
  file: LedgerFile | undefined,
  handler: CoveredHandler | undefined,
  { today, unlocked }: CompilePlan,
): readonly Diagnostic[] {
  const entries = file?.entries ?? [];
  const claims = tool.relaxations.map(({ claim }) => claim);
  const coverageOf = createCoverage(tool, handler);
  const diagnostics = tool.relaxations.flatMap(
    (relaxation) => problemOf(tool, relaxation, entries, { handler, today, coverageOf }) ?? [],
  );
  for (const { claim, location } of entries) {
    if (claims.includes(claim)) continue;
    diagnostics.push(
      ledgerDiagnostics(
        "unused-approval",
        location,
        { claim, nearest: suggestionsFor(claim, claims) },
        { tool: tool.name },
      ),
    );
  }
  return unlocked ? diagnostics.map(whileUnlocked) : diagnostics;
}

/** Finds the reason why a relaxation is not approved today; `undefined` if it is approved. */
function problemOf(
  tool: FlatTool,
  relaxation: Relaxation,
  entries: readonly LedgerEntry[],
  {
    handler,
    today,
    coverageOf,
  }: {
    readonly handler: CoveredHandler | undefined;
    readonly today: string;
    readonly coverageOf: (relaxation: Relaxation) => Coverage;
  },
): Diagnostic | undefined {
  const { claim } = relaxation;
  const location = locateClaim(tool, relaxation);
  const obstacle = obstacleTo(tool, relaxation, handler);
  if (obstacle !== undefined) {
    const parameters = { claim, obstacle };
    return ledgerDiagnostics("cannot-cover", location, parameters, { tool: tool.name });
  }
  const entry = entries.find((each) => each.claim === claim);
  if (entry === undefined) {
    return ledgerDiagnostics("not-approved", location, { tool: tool.name, claim }, { tool: tool.name });
  }
  const related = [{ location: entry.location, message: "the approval" }];
  const details = { tool: tool.name, related };
  const coverage = coverageOf(relaxation);
  if (!isCovered(entry.covers, coverage)) {
    const changed = partsInWords(entry.covers, coverage, relaxation, handler);
    return ledgerDiagnostics("stale", location, { tool: tool.name, claim, covered: changed.join(", or ") }, details);
  }
  if (entry.expires !== undefined && entry.expires < today) {
    return ledgerDiagnostics("expired", location, { tool: tool.name, claim, expires: entry.expires }, details);
  }
  return undefined;
}

/** Names what has changed since an approval; in general words where the approval does not tell. */
export function partsInWords(
  covers: string,
  coverage: Coverage,
  { covers: { kind } }: Relaxation,
  handler: CoveredHandler | undefined,
): readonly string[] {
  if (kind === "input" && handler?.declared === undefined && !covers.includes(" ")) return [PARTS.input];
  if (!covers.includes(" ") && handler?.declared === undefined) return [UNRECORDED_PART];
  return changedParts(covers, coverage).map((part) =>
    part === "handler" && handler === undefined ? `${PARTS.handler}, which is missing` : PARTS[part],
  );
}

const PARTS: { readonly [part in CoveredPart]: string } = {
  rule: "the text of the rule, or a row above it",
  fields: "the schema of the fields that the rule reads",
  handler: "the handler that holds the function",
  imports: "a file that the handler imports",
  input: "the inputs that the tool accepts",
  declaration: "the declaration of the handler",
  connection: "the connection of the handler",
  bind: "the values that the host binds",
};

/** Locates a claim in the spec, or in the file of its input schema. */
export function locateClaim(tool: FlatTool, { pointer }: Relaxation): Location {
  return pointer.startsWith("/input") ? tool.input.locate(pointer.slice("/input".length)) : tool.locate(pointer);
}

function whileUnlocked(diagnostic: Diagnostic): Diagnostic {
  const severity = WAITING.get(diagnostic.code);
  return severity === undefined ? diagnostic : { ...diagnostic, severity };
}
