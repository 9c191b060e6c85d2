import type { CompileResult } from "../compile.js";
import { type Diagnostic, type Fix, isError } from "@hasp/base/diagnostics";
import type { SourceText } from "../model/document.js";
import { parseSource } from "../phases/1-load/parse-source.js";
import { applyFix } from "./apply-fix.js";

/** A fix may uncover another finding; no real chain is this long. */
const MOST_PASSES = 10;

export interface FixResult {
  /** All files, including unchanged ones. */
  readonly files: readonly SourceText[];
  readonly findings: readonly Diagnostic[];
}

interface FixInput {
  readonly files: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  /** Compiles these files with the original configuration. */
  compile(files: readonly SourceText[]): Promise<CompileResult>;
}

/** Applies all fixes until none is left, except removals for warnings that cause errors. Throws if one adds a claim. */
export async function applyFixes({ files: given, diagnostics, compile }: FixInput): Promise<FixResult> {
  const findings: Diagnostic[] = [];
  let files = given;
  let found = diagnostics;
  let known = await compile(given);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    // The configuration is read once, so its positions are stale after the first pass.
    const fixable = pass === 0 ? found : found.filter(({ fix }) => roleOf(given, fix) !== "config");
    const { round, next } = await applySafely(files, fixable, known, compile);
    if (round.findings.length === 0) break;
    findings.push(...round.findings);
    files = round.files;
    const added = claimsOf(next).find(
      (claim) => !claimsOf(known).includes(claim) && known.tools.some(({ name }) => claim.startsWith(`${name} `)),
    );
    if (added !== undefined) throw new Error(`A fix added a claim: ${added}.`);
    known = next;
    found = next.diagnostics;
  }
  return { files, findings };
}

/** Applies all fixes at once, or removals one by one if that causes errors. */
async function applySafely(
  files: readonly SourceText[],
  diagnostics: readonly Diagnostic[],
  known: CompileResult,
  compile: FixInput["compile"],
): Promise<{ readonly round: FixResult; readonly next: CompileResult }> {
  const round = applyAll(files, diagnostics);
  const next = round.findings.length === 0 ? known : await compile(round.files);
  // A removal that fixes one error may uncover another.
  const isRemoval = (finding: Diagnostic): boolean => finding.fix?.kind === "remove" && !isError(finding);
  if (!round.findings.some(isRemoval) || !hasNewError(known, next)) return { round, next };
  const safe: Diagnostic[] = [];
  for (const finding of diagnostics) {
    const isUnsafe = isRemoval(finding) && hasNewError(known, await compile(applyAll(files, [finding]).files));
    if (!isUnsafe) safe.push(finding);
  }
  const rest = applyAll(files, safe.length < diagnostics.length ? safe : safe.filter((each) => !isRemoval(each)));
  return { round: rest, next: await compile(rest.files) };
}

function hasNewError(before: CompileResult, after: CompileResult): boolean {
  const identityOf = ({ code, tool, message }: Diagnostic): string => JSON.stringify([code, tool, message]);
  const known = new Set(before.diagnostics.map(identityOf));
  return after.diagnostics.some((each) => isError(each) && !known.has(identityOf(each)));
}

function roleOf(files: readonly SourceText[], fix: Fix | undefined): SourceText["role"] | undefined {
  return files.find(({ uri }) => uri === fix?.uri)?.role;
}

function claimsOf({ tools }: CompileResult): readonly string[] {
  return tools.flatMap(({ name, relaxations }) => relaxations.map(({ claim }) => `${name} ${claim}`));
}

/** Applies fixes from the end of each file, so that earlier positions stay valid. */
function applyAll(files: readonly SourceText[], diagnostics: readonly Diagnostic[]): FixResult {
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
  const pointer = fix.kind === "move" ? fix.pointer + fix.from : fix.pointer;
  return parseSource(file).value?.locate(pointer).range.start.offset ?? 0;
}
