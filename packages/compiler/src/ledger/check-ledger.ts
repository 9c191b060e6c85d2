import { findSuggestions, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import { groupBy } from "@hasp/base/json";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import type { CompileContext } from "../context/context.js";
import { type Approvals, type JudgedClaim, locateClaim, type ToolClaim, listToolClaims } from "./claims.js";
import { findChangedParts, type Coverage, type CoveredHandler, type CoveredPart, UNRECORDED_PART } from "./coverage.js";
import { CONTRADICTION_RULE, ledgerDiagnostics, WAITING } from "./diagnostics.js";

/** Checks that ledgers approve all claims. `declared` also names tools with errors, whose ledgers are in use. */
export function checkLedger(
  tools: readonly FlatTool[],
  { plan, each, plugins: { handlerKinds } }: CompileContext,
  approvals: Approvals,
  declared: readonly string[] = tools.map((tool) => tool.name),
): readonly Diagnostic[] {
  const { files, handlers } = approvals;
  const byTool = groupBy(files, ({ tool }) => tool);
  const diagnostics = [
    ...files.flatMap((file) => file.diagnostics),
    ...files.flatMap(({ tool, entries }) =>
      entries.flatMap(({ contradicts, location }) => {
        if (contradicts === undefined || handlerKinds.names.includes(contradicts)) return [];
        const problem = `"contradicts" names what the claim contradicts: ${handlerKinds.names.join(", ")}.`;
        return [ledgerDiagnostics("malformed", location, { problem }, { tool })];
      }),
    ),
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
      ledgerDiagnostics("unknown-tool", document.locate(""), { tool, nearest: findSuggestions(tool, declared) }),
    );
  }
  const found = each(
    "Checking approvals",
    tools,
    (tool) => {
      // Several ledgers of one tool are reported already; none applies.
      if ((byTool.get(tool.name)?.length ?? 0) > 1) return [];
      const claims = listToolClaims([tool], approvals);
      const reported = claims.flatMap((claim) => reportToolClaim(claim, handlers.get(tool.name)));
      return withUnlocked([...reported, ...reportUnused(tool.name, claims, approvals, { tool: tool.name })], plan);
    },
    ({ name }) => {
      const ledger = (byTool.get(name) ?? []).map(({ document: { uri, text } }) => [uri, text]);
      return [ledger, handlers.get(name), plan.today, plan.unlocked];
    },
  );
  return [...diagnostics, ...found.flat()];
}

function reportToolClaim(claim: ToolClaim, handler: CoveredHandler | undefined): readonly Diagnostic[] {
  const { tool, relaxation } = claim;
  const changes = (covers: string): readonly CoveredChange[] => [
    { words: describeParts(covers, claim, handler).join(", or ") },
  ];
  return reportClaim(claim, locateClaim(tool, relaxation), changes, { tool: tool.name });
}

interface CoveredChange {
  readonly words: string;
  readonly location?: Location;
}

/** Reports why an approval does not hold. A rule reports contradictions. */
export function reportClaim(
  { ledger: tool, claim, state, entry, obstacle }: JudgedClaim,
  location: Location,
  changesSince: (covers: string) => readonly CoveredChange[],
  { path, ...details }: { readonly tool?: string; readonly path?: string | undefined },
): readonly Diagnostic[] {
  if (state === "uncoverable") {
    return [ledgerDiagnostics("cannot-cover", location, { claim, obstacle: obstacle ?? "" }, details)];
  }
  if (entry === undefined) {
    const parameters = path === undefined ? ({ variant: "claim" } as const) : ({ variant: "path", path } as const);
    return [ledgerDiagnostics("not-approved", location, { tool, claim, ...parameters }, details)];
  }
  const related = [{ location: entry.location, message: "the approval" }];
  if (state === "expired") {
    const expires = entry.expires ?? "";
    return [ledgerDiagnostics("expired", location, { tool, claim, expires }, { ...details, related })];
  }
  if (state !== "stale") return [];
  const changes = changesSince(entry.covers);
  const covered = changes.map(({ words }) => words).join(", and ");
  const places = changes.flatMap(({ words, location: place }) =>
    place === undefined ? [] : [{ location: place, message: `${words} has changed` }],
  );
  return [
    ledgerDiagnostics("stale", location, { tool, claim, covered }, { ...details, related: [...related, ...places] }),
  ];
}

export function reportUnused(
  ledger: string,
  claims: readonly Pick<JudgedClaim, "claim">[],
  { entries }: Approvals,
  details: { readonly tool?: string },
): readonly Diagnostic[] {
  const known = claims.map(({ claim }) => claim);
  return (entries.get(ledger) ?? [])
    .filter(({ claim }) => !known.includes(claim))
    .map(({ claim, location }) =>
      ledgerDiagnostics("unused-approval", location, { claim, nearest: findSuggestions(claim, known) }, details),
    );
}

export function withUnlocked(found: readonly Diagnostic[], { unlocked }: CompilePlan): readonly Diagnostic[] {
  return unlocked ? found.map((each) => ({ ...each, severity: WAITING.get(each.code) ?? each.severity })) : found;
}

/** Drops contradictions that a valid approval accepts. */
export function removeApprovedContradictions(
  found: readonly Diagnostic[],
  tools: readonly FlatTool[],
  approvals: Approvals,
): readonly Diagnostic[] {
  const reported = new Set(found.flatMap(({ code, tool }) => (code === CONTRADICTION_RULE ? [tool] : [])));
  if (reported.size === 0) return found;
  const concerned = tools.filter(({ name }) => reported.has(name));
  const excused = new Set(
    listToolClaims(concerned, approvals)
      .filter(({ state, contradiction }) => state === "approved" && contradiction !== undefined)
      .map(({ tool, relaxation }) => `${tool.name} ${locateClaim(tool, relaxation).pointer}`),
  );
  return found.filter(
    ({ code, tool = "", location }) =>
      code !== CONTRADICTION_RULE || !excused.has(`${tool} ${location?.pointer ?? ""}`),
  );
}

/** Names the changes since an approval, or speaks of all parts if it recorded none. */
export function describeParts(
  covers: string,
  { coverage, relaxation }: Pick<ToolClaim, "relaxation"> & { coverage(): Coverage<string> },
  handler: CoveredHandler | undefined,
): readonly string[] {
  if (!covers.includes(" ") && handler?.declared === undefined) {
    return [relaxation.covers.kind === "input" ? PARTS.input : UNRECORDED_PART];
  }
  return findChangedParts(covers, coverage()).map((part) =>
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
  program: "a file that the command names, or one that it imports",
};
