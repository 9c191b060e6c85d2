import { suggestionsFor } from "../../diagnostics/closest.js";
import ignore from "ignore";
import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import type { CompilePlan, IgnorePlan } from "../../model/plan.js";
import { checkDiagnostics } from "./diagnostics.js";
import { type Silence, silencesIn } from "./silence-comments.js";
import { removalOf } from "../../diagnostics/removal.js";
import { groupBy } from "../../model/group-by.js";

/** What may be silenced: the ids of all rules, and of those that may not be. */
export interface KnownRules {
  readonly ids: readonly string[];
  readonly fixed: ReadonlySet<string>;
}

/**
 * Takes away what the authors silence, in a comment or in the configuration, and adds what is wrong with the silences:
 * one without a reason, for a rule that does not exist or may not be silenced, or that silences nothing. In `broken`
 * files, and where they might matter, nothing is said of unused ones: no rule has seen the tools there.
 */
export function applySilences(
  diagnostics: readonly Diagnostic[],
  documents: readonly LoadedDocument[],
  { ignore: ignored, locations = {} }: Pick<CompilePlan, "ignore" | "locations">,
  known: KnownRules,
  broken: ReadonlySet<LoadedDocument>,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const silences = documents.flatMap(silencesIn).filter((silence) => {
    const problem = problemOfSilence(silence, known);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined;
  });
  const entries = ignored.flatMap((entry, index) => {
    const pointer = `/ignore/${index}`;
    const location = locations[pointer];
    const removal = removalOf(location, pointer);
    const problem = problemOfEntry(entry, location, removal, known);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined ? [{ entry, location, removal, paths: ignore().add(entry.path) }] : [];
  });

  const used = new Set<object>();
  const silencesByUri = groupBy(silences, ({ location }) => location.uri);
  const left = diagnostics.filter(({ code, location, fixed }) => {
    if (fixed === true || location === undefined) return true;
    let isSilenced = false;
    const use = (silencing: object): void => {
      used.add(silencing);
      isSilenced = true;
    };
    for (const silence of silencesByUri.get(location.uri) ?? []) {
      if (silence.rule === code && silence.line === location.range.start.line) use(silence);
    }
    for (const { entry, paths } of entries) if (entry.rule === code && paths.ignores(location.uri)) use(entry);
    return !isSilenced;
  });

  const unused = silences.filter((silence) => !used.has(silence));
  const isSeen = (document: LoadedDocument): boolean =>
    !broken.has(document) && (document.role === "spec" || broken.size === 0);
  const seen = unused.length === 0 ? undefined : new Set(documents.filter(isSeen).map(({ uri }) => uri));
  for (const silence of unused) {
    if (seen?.has(silence.location.uri) === true) {
      problems.push(
        checkDiagnostics("unused-silence", silence.location, { rule: silence.rule }, withoutComment(silence)),
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

function withoutComment({ location: { uri, range } }: Silence): Pick<Diagnostic, "fix"> {
  return { fix: { kind: "comment", uri, start: range.start.offset, end: range.end.offset } };
}

function problemOfSilence(silence: Silence, known: KnownRules): Diagnostic | undefined {
  const { rule, reason, location } = silence;
  if (!known.ids.includes(rule)) {
    return checkDiagnostics("silence-of-unknown-rule", location, { rule, nearest: suggestionsFor(rule, known.ids) });
  }
  if (known.fixed.has(rule)) {
    return checkDiagnostics("silence-of-fixed-rule", location, { rule }, withoutComment(silence));
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
