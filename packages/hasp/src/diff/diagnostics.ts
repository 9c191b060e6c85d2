import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";
import { excerpt } from "../diagnostics/excerpt.js";
import { own } from "../model/own.js";

const definitions = {
  "tool-gone": {
    severity: "error",
    message: (p: { name: string }): string => `The tool "${p.name}" is gone; whoever calls it gets "unknown tool".`,
    help: (): string => `If it has a new name, list the old one there under "aliases".`,
  },
  "alias-gone": {
    severity: "error",
    message: (p: { alias: string }): string =>
      `The alias "${p.alias}" is gone; whoever calls the tool by it gets "unknown tool".`,
  },
  "toolset-gone": {
    severity: "error",
    message: (p: { toolset: string }): string => `The toolset "${p.toolset}" is gone.`,
  },
  "left-toolset": {
    severity: "error",
    message: (p: { toolset: string }): string => `The tool is no longer in the toolset "${p.toolset}".`,
  },
  "left-list": {
    severity: "error",
    message: (p: { dialect: string; reason: string }): string =>
      `The list for ${p.dialect} is without the tool now: ${p.reason}`,
  },
  "gate-added": {
    severity: "error",
    message: (p: { gate: string }): string =>
      `The tool is listed only where the feature "${p.gate}" is on; it always was until now.`,
  },
  "interaction-added": {
    severity: "error",
    message: (): string => "The tool wants a user to be there now: where nobody is, it is neither listed nor run.",
  },
  "dialect-gone": {
    severity: "error",
    message: (p: { dialect: string }): string => `The lists for "${p.dialect}" are no longer made.`,
  },
  "input-refused": {
    severity: "error",
    message: (p: { input: string; reason: string }): string =>
      `A call that was valid is refused now: ${p.input}. ${p.reason}`,
  },
  "input-may-be-refused": {
    severity: "error",
    message: (p: { place: string; keyword: string }): string =>
      `A call that was valid may be refused now: "${p.keyword}" at ${p.place} is not proved to accept all that was accepted, and no such call was found.`,
  },
  "check-may-refuse": {
    severity: "error",
    message: (p: { check: string }): string =>
      `A call that was valid may be refused now by the new check ${excerpt(p.check)}; no such call was found.`,
  },
  "default-changed": {
    severity: "error",
    message: (p: { before: string; after: string }): string =>
      `Who leaves this out may get another answer: the default was ${p.before} and is ${p.after}.`,
  },
  "output-gone": {
    severity: "error",
    message: (): string => "The output has no schema any longer: whoever reads its fields reads what nobody promises.",
  },
  "output-weakened": {
    severity: "error",
    message: (p: { output: string; reason: string }): string =>
      `The tool may now answer what was no valid output: ${p.output}. ${p.reason}`,
  },
  "output-may-be-weakened": {
    severity: "error",
    message: (p: { place: string; keyword: string }): string =>
      `The tool may now answer what was no valid output: "${p.keyword}" at ${p.place} is not proved to be kept, and no such output was found.`,
  },
  "output-field-gone": {
    severity: "error",
    message: (p: { place: string }): string =>
      `The output may be without what its reader looks for: ${p.place} is no longer described.`,
  },

  "claim-added": {
    severity: "error",
    message: (p: { claim: string }): string => `This loosens a fail-closed default: ${excerpt(p.claim)}.`,
  },
  loosened: {
    severity: "error",
    message: (p: { field: string; before: string; after: string }): string =>
      `${p.field} was ${p.before} and is milder now: ${p.after}.`,
  },
  "call-loosened": {
    severity: "error",
    message: (p: { field: string; before: string; after: string; input: string }): string =>
      `For some calls ${p.field} was ${p.before} and is ${p.after} now, such as ${p.input}.`,
  },
  "call-may-be-loosened": {
    severity: "error",
    message: (p: { claim: string }): string =>
      `Some calls may be treated more mildly now: ${excerpt(p.claim)} is new, and no such call was found.`,
  },
  "gate-gone": {
    severity: "error",
    message: (p: { gate: string }): string => `The tool was behind the feature gate "${p.gate}" and is not any more.`,
  },
  "check-gone": {
    severity: "error",
    message: (p: { check: string }): string => `Calls are no longer held against the check ${excerpt(p.check)}.`,
  },
  "self-approved": {
    severity: "error",
    message: (p: { claim: string; reason: string }): string =>
      `Self-approved: the claim ${excerpt(p.claim)} and its approval ("${p.reason}") arrive together. Whoever reviews this change approves it.`,
  },
  "approved-here": {
    severity: "warning",
    message: (p: { claim: string; reason: string }): string =>
      `The claim ${excerpt(p.claim)} was there and is approved in this change ("${p.reason}"). Whoever reviews this change approves it.`,
  },
  "approval-prolonged": {
    severity: "warning",
    message: (p: { claim: string; before: string; after: string }): string =>
      `The approval of ${excerpt(p.claim)} ended on ${p.before} and ends ${p.after} now. Whoever reviews this change approves it for longer.`,
  },
  "covers-changed": {
    severity: "warning",
    message: (p: { claim: string; state: "renewed" | "waiting" }): string =>
      `The claim ${excerpt(p.claim)} may now cover other calls than those that were looked at; ${p.state === "renewed" ? "its approval was renewed in the same change" : "its approval waits to be renewed"}.`,
  },

  "tool-added": {
    severity: "info",
    message: (p: { tokens: number }): string =>
      `The tool is new; it costs about ${p.tokens} tokens in every request that lists it.`,
  },
  "prompt-changed": {
    severity: "info",
    message: (p: { parts: string; before: number; after: number; lists: string }): string =>
      `What a model reads has changed: ${p.parts}. About ${p.before} → ${p.after} tokens; ${p.lists}.`,
  },
  "entry-changed": {
    severity: "info",
    message: (p: { keys: string; lists: string }): string =>
      `What a provider is sent has changed beside the texts and the input: ${p.keys}, ${p.lists}.`,
  },
  "strict-lost": {
    severity: "warning",
    message: (p: { dialects: string }): string =>
      `${p.dialects} no longer holds a model to the schema of this tool: its strict mode is off. Calls that break the schema reach the runtime, which refuses them.`,
  },
  deferred: {
    severity: "info",
    message: (): string => "The tool is in no request until a model has searched for it.",
  },

  "not-comparable": {
    severity: "warning",
    message: (p: { name: string; base: string }): string =>
      `The tool "${p.name}" had errors at ${p.base} and was not compared with what it was there; all of its claims count as new.`,
  },
  "base-unreadable": {
    severity: "error",
    message: (p: { base: string; reason: string }): string =>
      `There is nothing to compare with at ${p.base}: ${p.reason}`,
  },
  "ref-not-found": {
    severity: "error",
    message: (p: { ref: string; command: string; hasFolder: boolean }): string =>
      `Git does not know the ref "${p.ref}".${folderNote(p)}`,
    help: (p: { ref: string; command: string; hasFolder: boolean }): string =>
      `A checkout for CI often has one commit only. Fetch the other: ${p.command}`,
  },
  "no-repository": {
    severity: "error",
    message: (p: { ref: string; hasFolder: boolean }): string =>
      `"${p.ref}" cannot be a git ref: the project is in no git repository.${folderNote(p)}`,
    help: (): string => "Name a folder that holds the other version, as ./… or as an absolute path.",
  },
  "git-failed": {
    severity: "error",
    message: (p: { reason: string }): string => `git could not be asked: ${p.reason}`,
  },
} as const;

/** Says how to name a folder that has the name of a missing ref. */
function folderNote({ ref, hasFolder }: { readonly ref: string; readonly hasFolder: boolean }): string {
  return hasFolder ? ` There is a folder of that name; to compare with it, write "./${ref}".` : "";
}

/** What comparing two versions of a project may find. */
export const diffDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("diff", definitions);

/** What a finding means for whom: the three lists of a comparison. */
export type DiffList = "breaks" | "loosens" | "prompt";

const LISTS: { readonly [name in keyof typeof definitions]?: DiffList } = {
  "tool-gone": "breaks",
  "alias-gone": "breaks",
  "toolset-gone": "breaks",
  "left-toolset": "breaks",
  "left-list": "breaks",
  "gate-added": "breaks",
  "interaction-added": "breaks",
  "dialect-gone": "breaks",
  "input-refused": "breaks",
  "input-may-be-refused": "breaks",
  "check-may-refuse": "breaks",
  "default-changed": "breaks",
  "output-gone": "breaks",
  "output-weakened": "breaks",
  "output-may-be-weakened": "breaks",
  "output-field-gone": "breaks",
  "claim-added": "loosens",
  loosened: "loosens",
  "call-loosened": "loosens",
  "call-may-be-loosened": "loosens",
  "gate-gone": "loosens",
  "check-gone": "loosens",
  "self-approved": "loosens",
  "approved-here": "loosens",
  "approval-prolonged": "loosens",
  "covers-changed": "loosens",
  "tool-added": "prompt",
  "prompt-changed": "prompt",
  "entry-changed": "prompt",
  "strict-lost": "prompt",
  deferred: "prompt",
};

/** Findings that are not proved: they say that something *may* be so. */
const UNPROVED: ReadonlySet<string> = new Set([
  "input-may-be-refused",
  "check-may-refuse",
  "gate-added",
  "interaction-added",
  "default-changed",
  "output-may-be-weakened",
  "output-field-gone",
  "call-may-be-loosened",
  "covers-changed",
]);

/** The list to which a finding belongs; `undefined` for what kept something from being compared. */
export function listOf(code: string): DiffList | undefined {
  const lists: { readonly [name: string]: DiffList | undefined } = LISTS;
  const name = code.slice("diff/".length);
  return own(lists, name);
}

/** Whether a finding stands without a proof. */
export function isUnproved(code: string): boolean {
  return UNPROVED.has(code.slice("diff/".length));
}
