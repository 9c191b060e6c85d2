import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import { createMemory, keptAsJson } from "../model/memory.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { coverageDigest, handlerDigestsOf } from "./coverage.js";
import { ledgerDiagnostics, WAITING } from "./diagnostics.js";
import { readLedgerFile, type LedgerEntry } from "./ledger-file.js";

/**
 * Holds every relaxation of every tool against the ledger. With `plan.unlocked`, what waits for a reviewer is a warning.
 * `declared` names the tools that have errors, too: their ledgers speak for somebody.
 */
export function checkLedger(
  tools: readonly FlatTool[],
  ledgers: readonly LoadedDocument[],
  plan: CompilePlan,
  declared: readonly string[] = tools.map((tool) => tool.name),
): readonly Diagnostic[] {
  const files = ledgers.map(readLedgerFile);
  const byTool = new Map(files.map((file) => [file.tool, file]));
  const handlers = handlerDigestsOf(tools, plan);
  const diagnostics = files.flatMap((file) => file.diagnostics);

  for (const { tool, document } of files) {
    if (declared.includes(tool)) continue;
    diagnostics.push(ledgerDiagnostics("unknown-tool", document.locate(""), { tool, known: declared }));
  }
  for (const tool of tools) {
    const entries = byTool.get(tool.name)?.entries ?? [];
    const claims = tool.relaxations.map((relaxation) => relaxation.claim);
    for (const relaxation of tool.relaxations) {
      const problem = problemOf(tool, relaxation, entries, handlers.get(tool.name), plan.today);
      if (problem !== undefined) diagnostics.push(problem);
    }
    for (const { claim, location } of entries) {
      if (claims.includes(claim)) continue;
      diagnostics.push(ledgerDiagnostics("unused-approval", location, { claim, known: claims }, { tool: tool.name }));
    }
  }
  return plan.unlocked ? diagnostics.map(unlocked) : diagnostics;
}

/** What keeps a relaxation from being approved today, or `undefined` if it is. */
function problemOf(
  tool: FlatTool,
  relaxation: Relaxation,
  entries: readonly LedgerEntry[],
  handlerDigest: string | undefined,
  today: string,
): Diagnostic | undefined {
  const { claim, covers } = relaxation;
  const location = locateClaim(tool, relaxation);
  const entry = entries.find((each) => each.claim === claim);
  if (entry === undefined) return ledgerDiagnostics("not-approved", location, { tool: tool.name, claim }, { tool: tool.name });
  const related = [{ location: entry.location, message: "the approval" }];
  const details = { tool: tool.name, related };
  if (entry.covers !== coverageDigest(tool, relaxation, handlerDigest)) {
    return ledgerDiagnostics("stale", location, { tool: tool.name, claim, covered: COVERED[covers.kind] }, details);
  }
  if (entry.expires !== undefined && entry.expires < today) {
    return ledgerDiagnostics("expired", location, { tool: tool.name, claim, expires: entry.expires }, details);
  }
  return undefined;
}

const COVERED: { readonly [kind in Relaxation["covers"]["kind"]]: string } = {
  input: "the inputs that the tool accepts",
  rule: "the fields that the rule reads, or a row above it",
  custom: "the handler that holds the function, or a file that it imports",
};

/** The place of a claim: in the spec, or, for a claim of the input's schema, wherever that schema stands. */
export function locateClaim(tool: FlatTool, { pointer }: Relaxation): Location {
  return placesSoFar.of(tool, pointer, () => placeOfClaim(tool, pointer));
}

const placesSoFar = createMemory<FlatTool, Location>(keptAsJson("place of a claim"));

function placeOfClaim(tool: FlatTool, pointer: string): Location {
  return pointer.startsWith("/input") ? tool.input.locate(pointer.slice("/input".length)) : tool.locate(pointer);
}

function unlocked(diagnostic: Diagnostic): Diagnostic {
  const severity = WAITING.get(diagnostic.code);
  return severity === undefined ? diagnostic : { ...diagnostic, severity };
}
