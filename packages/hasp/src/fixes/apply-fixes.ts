import type { CompileResult } from "../compile.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Fix } from "../diagnostics/fix.js";
import type { SourceText } from "../model/document.js";
import { parseSource } from "../phases/1-load/index.js";
import { applyFix } from "./apply-fix.js";

/** One fix may bring another finding to light; no chain of them is so long. */
const MOST_PASSES = 10;

/** What came of the fixes of a project. */
export interface Mended {
  /** All files, those that changed with their new text. */
  readonly files: readonly SourceText[];
  /** The findings that are mended. */
  readonly findings: readonly Diagnostic[];
}

/** A project that is to be mended. */
export interface MendingInput {
  /** Every file that a fix may be about: the sources, and the configuration. */
  readonly files: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  /** What a compilation of these files says; the configuration stays what it was. */
  compile(files: readonly SourceText[]): Promise<CompileResult>;
}

/**
 * Carries out every fix that can be, again and again until none is left. Throws if a fix made a claim that was not
 * there: that would be a bug of ours, and nothing may come of it.
 */
export async function mend({ files: given, diagnostics, compile }: MendingInput): Promise<Mended> {
  const findings: Diagnostic[] = [];
  let files = given;
  let found = diagnostics;
  let known = await compile(given);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    // Of the configuration a pass later nothing new is known, and its places have moved.
    const round = applyAll(files, pass === 0 ? found : found.filter(({ fix }) => roleOf(given, fix) !== "config"));
    if (round.findings.length === 0) break;
    findings.push(...round.findings);
    files = round.files;
    const next = await compile(files);
    const made = claimsOf(next).find(
      (claim) => !claimsOf(known).includes(claim) && known.tools.some(({ name }) => claim.startsWith(`${name} `)),
    );
    if (made !== undefined) throw new Error(`A fix made a claim: ${made}.`);
    known = next;
    found = next.diagnostics;
  }
  return { files, findings };
}

function roleOf(files: readonly SourceText[], fix: Fix | undefined): SourceText["role"] | undefined {
  return files.find(({ uri }) => uri === fix?.uri)?.role;
}

function claimsOf({ tools }: CompileResult): readonly string[] {
  return tools.flatMap(({ name, relaxations }) => relaxations.map(({ claim }) => `${name} ${claim}`));
}

/** One pass over all files, each from its end, so that what is mended moves nothing that is still to be. */
function applyAll(files: readonly SourceText[], diagnostics: readonly Diagnostic[]): Mended {
  const findings: Diagnostic[] = [];
  const next = files.map((file) => {
    const own = diagnostics.flatMap((finding) =>
      finding.fix?.uri === file.uri ? [{ finding, fix: finding.fix, offset: offsetOf(finding.fix, file) }] : [],
    );
    let current = file;
    const done = new Set<string>();
    for (const { finding, fix } of own.toSorted((a, b) => b.offset - a.offset)) {
      const identity = JSON.stringify(fix);
      const changed = done.has(identity) ? current : applyFix(current, fix);
      if (changed === undefined) continue;
      done.add(identity);
      current = changed;
      findings.push(finding);
    }
    return current;
  });
  return { files: next, findings };
}

function offsetOf(fix: Fix, file: SourceText): number {
  if (fix.kind === "comment") return fix.start;
  return parseSource(file).value?.locate(fix.pointer).range.start.offset ?? 0;
}
