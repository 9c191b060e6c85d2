import { suggestionsFor } from "../../diagnostics/closest.js";
import ignore from "ignore";
import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import type { CompilePlan, IgnorePlan } from "../../model/plan.js";
import { checkDiagnostics } from "./diagnostics.js";
import { type Suppression, suppressionsIn } from "./suppression-comments.js";
import { isOfPhase } from "../../diagnostics/finding-phases.js";
import { offerRemoval } from "../../diagnostics/removal.js";
import { groupBy } from "../../model/group-by.js";

/** The rules that may be suppressed: the ids of all rules, and of those that may not be. */
export interface KnownRules {
  readonly ids: readonly string[];
  readonly fixed: ReadonlySet<string>;
}

/**
 * Removes what the authors suppress, in a comment or in the configuration, and adds what is wrong with the suppressions:
 * one without a reason, for a rule that does not exist or may not be suppressed, or that suppresses nothing. In `broken`
 * files, and where they might matter, nothing is said about unused ones: no rule has seen the tools there.
 */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  documents: readonly LoadedDocument[],
  { ignore: ignored, locations = {} }: Pick<CompilePlan, "ignore" | "locations">,
  known: KnownRules,
  broken: ReadonlySet<LoadedDocument>,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const suppressions = documents.flatMap(suppressionsIn).filter((suppression) => {
    const problem = problemOfSuppression(suppression, known);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined;
  });
  const entries = ignored.flatMap((entry, index) => {
    const pointer = `/ignore/${index}`;
    const location = locations[pointer];
    const removal = offerRemoval(location, pointer);
    const problem = problemOfEntry(entry, location, removal, known);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined ? [{ entry, location, removal, paths: ignore().add(entry.path) }] : [];
  });

  const used = new Set<object>();
  const suppressionsByUri = groupBy(suppressions, ({ location }) => location.uri);
  const left = diagnostics.filter(({ code, location, fixed }) => {
    if (fixed === true || location === undefined) return true;
    let isSuppressed = false;
    const use = (suppressing: object): void => {
      used.add(suppressing);
      isSuppressed = true;
    };
    for (const suppression of suppressionsByUri.get(location.uri) ?? []) {
      if (suppression.rule === code && suppression.line === location.range.start.line) use(suppression);
    }
    for (const { entry, paths } of entries) if (entry.rule === code && paths.ignores(location.uri)) use(entry);
    return !isSuppressed;
  });

  const unused = suppressions.filter((suppression) => !used.has(suppression));
  const isSeen = (document: LoadedDocument): boolean =>
    !broken.has(document) && (document.role === "spec" || broken.size === 0);
  const seen = unused.length === 0 ? undefined : new Set(documents.filter(isSeen).map(({ uri }) => uri));
  for (const suppression of unused) {
    if (seen?.has(suppression.location.uri) === true) {
      problems.push(
        checkDiagnostics(
          "unused-silence",
          suppression.location,
          { rule: suppression.rule },
          withoutComment(suppression),
        ),
      );
    }
  }
  for (const { entry, location, removal } of entries) {
    if (!used.has(entry) && broken.size === 0) {
      problems.push(checkDiagnostics("unused-ignore", location, { rule: entry.rule, path: entry.path }, removal));
    }
  }
  return [...left, ...problems];
}

function withoutComment({ location: { uri, range } }: Suppression): Pick<Diagnostic, "fix"> {
  return { fix: { kind: "comment", uri, start: range.start.offset, end: range.end.offset } };
}

function problemOfSuppression(suppression: Suppression, known: KnownRules): Diagnostic | undefined {
  const { rule, reason, location } = suppression;
  if (!known.ids.includes(rule)) {
    const nearest = suggestionsFor(rule, known.ids);
    return isOfPhase(rule, nearest)
      ? checkDiagnostics("silence-of-unknown-rule", location, { variant: "finding", rule }, withoutComment(suppression))
      : checkDiagnostics("silence-of-unknown-rule", location, { variant: "rule", rule, nearest });
  }
  if (known.fixed.has(rule)) {
    return checkDiagnostics("silence-of-fixed-rule", location, { rule }, withoutComment(suppression));
  }
  if (reason === "") return checkDiagnostics("silence-without-reason", location, { rule });
  return undefined;
}

function problemOfEntry(
  { rule, path, reason }: IgnorePlan,
  location: Location | undefined,
  removal: Pick<Diagnostic, "fix">,
  known: KnownRules,
): Diagnostic | undefined {
  if (!known.ids.includes(rule)) {
    return checkDiagnostics("unknown-rule", location, { rule, nearest: suggestionsFor(rule, known.ids) });
  }
  if (known.fixed.has(rule)) return checkDiagnostics("ignore-of-fixed-rule", location, { rule, path }, removal);
  if (reason.trim() === "") return checkDiagnostics("ignore-without-reason", location, { rule, path });
  return undefined;
}
