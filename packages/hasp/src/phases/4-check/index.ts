import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { checkLedger, withoutApprovedContradictions } from "../../ledger/index.js";
import { policyName } from "../../ledger/ledger-file.js";
import type { LoadedDocument } from "../../model/document.js";
import type { CompilePlan } from "../../model/plan.js";
import type { RefusedFlatTool } from "../3-flatten/index.js";
import type { FlatTool } from "../../model/tool.js";
import { escapeToken } from "../../model/json-pointer.js";
import { rules as allRules } from "../../rules/index.js";
import { declaredTools } from "../2-resolve/declared-tools.js";
import type { Rule } from "../../rules/rule.js";
import { checkDiagnostics } from "./diagnostics.js";
import { isFixedRule, runRules } from "./run-rules.js";
import { removalOf } from "../../diagnostics/removal.js";
import { applySuppressions, type KnownRules } from "./suppressions.js";
import { ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

/** Settings of {@link check}; all optional. */
export interface CheckOptions {
  /** All that hasp knows; a test may give fewer. */
  readonly rules?: readonly Rule[];
  /** Tools with errors, which the rules look at as well: an error hides no other finding. */
  readonly refused?: readonly RefusedFlatTool[];
  readonly onProgress?: OnProgress;
}

/** Holds the tools against every rule and against the ledger. */
export function check(
  tools: readonly FlatTool[],
  plan: CompilePlan,
  documents: readonly LoadedDocument[],
  { rules = allRules, refused = [], onProgress = ignoreProgress }: CheckOptions = {},
): Found<readonly FlatTool[]> {
  const known: KnownRules = {
    ids: allRules.map((rule) => rule.id),
    fixed: new Set(allRules.filter(isFixedRule).map((rule) => rule.id)),
  };
  const all = [...tools, ...refused.map(({ tool }) => tool)].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const refusedByName = new Map(refused.map((each) => [each.tool.name, each]));
  const found = runRules(rules, { tools: all, documents }, plan, onProgress).filter((finding) => {
    const each = finding.tool === undefined ? undefined : refusedByName.get(finding.tool);
    return each === undefined || !isAboutRemoved(finding, each);
  });
  const ledgers = documents.filter((document) => document.role === "ledger");
  const standing = withoutApprovedContradictions(found, tools, ledgers, plan);
  const usable = new Set(tools.map((tool) => tool.name));
  const declared = declaredTools(documents);
  const policies = documents.flatMap(({ role, uri }) => (role === "policy" ? [policyName(uri)] : []));
  const broken = declared.filter(({ name }) => !usable.has(name));
  return {
    value: tools,
    diagnostics: [
      ...problemsOfSeverities(plan, known),
      ...applySuppressions(standing, documents, plan, known, new Set(broken.map(({ document }) => document))),
      ...checkLedger(tools, ledgers, plan, [...declared.map(({ name }) => name), ...policies]),
    ],
  };
}

/** Whether a finding may be due to what was left out of a refused tool because it is faulty. */
function isAboutRemoved({ code, location }: Diagnostic, { tool, removed }: RefusedFlatTool): boolean {
  return removed.some((pointer) => {
    const holder = pointer.slice(0, pointer.lastIndexOf("/"));
    if (/^\/(?:input|output)\//u.test(pointer)) return location?.pointer.startsWith(tool.pointer + holder) === true;
    // Rules of safety weigh these values against each other.
    return /^\/(?:concurrency|behavior|limits|visibility)(?:\/|$)/u.test(pointer) && isAboutValues(code);
  });
}

function isAboutValues(code: string): boolean {
  return /^(?:safety|fail-closed|size)\//u.test(code);
}

function problemsOfSeverities(
  { rules, overrides, locations = {} }: CompilePlan,
  known: KnownRules,
): readonly Diagnostic[] {
  const settings = [
    { holder: "/rules", severities: rules },
    ...overrides.map((override, index) => ({ holder: `/overrides/${index}/rules`, severities: override.rules })),
  ];
  return settings.flatMap(({ holder, severities }) =>
    Object.keys(severities).flatMap((rule) => {
      const location = locations[`${holder}/${escapeToken(rule)}`];
      if (!known.ids.includes(rule)) {
        return [checkDiagnostics("unknown-rule", location, { rule, nearest: suggestionsFor(rule, known.ids) })];
      }
      return known.fixed.has(rule)
        ? [
            checkDiagnostics(
              "fixed-severity",
              location,
              { rule },
              removalOf(location, `${holder}/${escapeToken(rule)}`),
            ),
          ]
        : [];
    }),
  );
}
