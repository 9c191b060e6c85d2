import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Option } from "commander";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { compareCosts, compareVersions, diffDiagnostics, isUnproved, listOf, versionOf, type DiffList, type ToolsetCost, type Version } from "../diff/index.js";
import { readProject } from "../io/read-project.js";
import { snapshotOf, type NoSnapshot } from "../io/read-git.js";
import type { CompilePlan } from "../model/plan.js";
import { visibleText } from "../report/visible-text.js";
import { counted } from "../report/words.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { compileProject, isCompiled } from "./project.js";

/** Lists that may be let through. */
type Allowed = "breaks" | "may-break" | "loosens";

interface DiffOptions {
  readonly allow?: readonly Allowed[];
}

/** `hasp diff <ref>`: what a change means for callers, for safety, and for the prompt. */
export const diff: CommandModule = {
  configure(command) {
    command
      .argument("<base>", "a git ref such as origin/main, or a folder that holds the other version (./… is always a folder)")
      .addOption(allowOption());
  },
  run: async (invocation) => runDiff(invocation as Invocation<DiffOptions>),
};

/** `--allow`, for every command that compares. */
export function allowOption(): Option {
  return new Option("--allow <lists...>", "report what is on these lists as warnings").choices(["breaks", "may-break", "loosens"]);
}

/** Compares the project with what it was at `words[0]`. */
async function runDiff(invocation: Invocation<DiffOptions>): Promise<Outcome> {
  const [base = ""] = invocation.words;
  // Whether claims are approved is asked by `check`; a comparison shows what there is to approve.
  let dialects: CompilePlan["dialects"] = [];
  const project = await compileProject(invocation, {
    adapt: (plan) => {
      dialects = plan.dialects;
      return { ...plan, unlocked: true, dialects: [] };
    },
  });
  if (!isCompiled(project)) return project;
  const { root, texts } = project;
  const common = { sources: texts, root };
  const now = versionOf(project.sources, { ...project.plan, dialects });
  const errors = now.diagnostics.filter(({ severity }) => severity === "error");
  // What cannot be compiled cannot be compared.
  if (errors.length > 0) return { ...common, diagnostics: errors };

  const before = await readBase(root, base, invocation);
  if ("refusal" in before) return { ...common, diagnostics: [before.refusal], couldNotCheck: true };
  const allowed = new Set(invocation.options.allow ?? []);
  const diagnostics = compareVersions(before, now.value, base).map((diagnostic) => permitted(diagnostic, allowed));
  const costs = compareCosts(before, now.value);
  const counts = { breaks: 0, loosens: 0, prompt: 0 };
  const lists: { readonly [list in DiffList]: unknown[] } = { breaks: [], loosens: [], prompt: [] };
  for (const { code, tool, message, location } of diagnostics) {
    const list = listOf(code);
    if (list === undefined) continue;
    counts[list] += 1;
    lists[list].push({ code, tool: tool ?? null, message, may: isUnproved(code), uri: location?.uri ?? null, line: location?.range.start.line ?? null });
  }
  return {
    ...common,
    diagnostics,
    summary: { base, ...counts, tokens: costs.map((cost) => ({ ...cost })) },
    data: { lists: JSON.parse(JSON.stringify(lists)) },
    text: `${[verdict(counts, base), ...costs.flatMap(costLine)].join("\n")}\n`,
  };
}

function permitted(diagnostic: Diagnostic, allowed: ReadonlySet<Allowed>): Diagnostic {
  const { code, severity } = diagnostic;
  const list = listOf(code);
  const name = list === "breaks" && isUnproved(code) ? "may-break" : list;
  const isAllowed = severity === "error" && name !== undefined && name !== "prompt" && allowed.has(name);
  return isAllowed ? { ...diagnostic, severity: "warning" } : diagnostic;
}

function verdict(counts: { readonly [list in DiffList]: number }, base: string): string {
  if (Object.values(counts).every((count) => count === 0)) return `Nothing that callers, safety or the prompt feel has changed since ${visibleText(base)}.`;
  const changes = (count: number, one: string, many: string): string => `${counted(count, "change")} ${count === 1 ? one : many}`;
  return [
    `Since ${visibleText(base)}:`,
    `  ${changes(counts.breaks, "breaks callers, or may", "break callers, or may")}`,
    `  ${changes(counts.loosens, "loosens safety, or may", "loosen safety, or may")}`,
    `  ${changes(counts.prompt, "of what a model reads", "of what a model reads")}`,
  ].join("\n");
}

function costLine({ toolset, before, after, isOther }: ToolsetCost): readonly string[] {
  if (!isOther) return [];
  const change = after === before ? "the same" : `${after > before ? "+" : "−"}${Math.abs(after - before)}`;
  return [`  toolset ${visibleText(toolset)}: about ${before} → ${after} tokens in every request (${change}); its prompt cache starts anew`];
}

type Base = Version | { readonly refusal: Diagnostic };

async function readBase(root: string, base: string, invocation: Invocation): Promise<Base> {
  const other = resolve(invocation.folder, base);
  const isPath = /^\.{0,2}[/\\]|^\.{1,2}$/u.test(base);
  const snapshot = isPath ? undefined : snapshotOf(root, base);
  if (snapshot !== undefined && "folder" in snapshot) {
    try {
      return await versionIn(snapshot.folder, base, invocation);
    } finally {
      snapshot.remove();
    }
  }
  if (existsSync(other) && statSync(other).isDirectory()) return versionIn(other, base, invocation);
  return { refusal: refusalOf(base, snapshot) };
}

function refusalOf(base: string, snapshot: NoSnapshot | undefined): Diagnostic {
  switch (snapshot?.problem) {
    case undefined:
      return diffDiagnostics("base-unreadable", undefined, { base, reason: "there is no such folder." });
    case "no-repository":
      return diffDiagnostics("no-repository", undefined, { ref: base });
    case "git-failed":
      return diffDiagnostics("git-failed", undefined, { reason: snapshot.reason });
    case "ref-not-found":
      return diffDiagnostics("ref-not-found", undefined, { ref: base, command: snapshot.command });
  }
}

async function versionIn(folder: string, base: string, invocation: Invocation): Promise<Base> {
  const project = await readProject(folder, configOption(invocation));
  if (project.plan === undefined) {
    const reason = project.diagnostics.map(({ message }) => message).join(" ").replaceAll(folder, base);
    return { refusal: diffDiagnostics("base-unreadable", undefined, { base, reason }) };
  }
  return versionOf(project.sources, project.plan).value;
}

function configOption({ options, terminal }: Invocation): { readonly config?: string; readonly unlocked: true } {
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  return { unlocked: true, ...(config === undefined ? {} : { config: basename(config) }) };
}
