import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";
import { own } from "../model/own.js";

const definitions = {
  "tool-gone": {
    severity: "error",
    message: 'The tool "{name}" is gone; whoever calls it gets "unknown tool".',
    help: 'If it has a new name, list the old one there under "aliases".',
  },
  "alias-gone": {
    severity: "error",
    message: 'The alias "{alias}" is gone; whoever calls the tool by it gets "unknown tool".',
  },
  "toolset-gone": {
    severity: "error",
    message: 'The toolset "{toolset}" is gone.',
  },
  "left-toolset": {
    severity: "error",
    message: 'The tool is no longer in the toolset "{toolset}".',
  },
  "left-list": {
    severity: "error",
    message: "The list for {dialect} is without the tool now: {reason}",
  },
  "gate-added": {
    severity: "error",
    message: 'The tool is listed only where the feature "{gate}" is on; it always was until now.',
  },
  "interaction-added": {
    severity: "error",
    message: "The tool wants a user to be there now: where nobody is, it is neither listed nor run.",
  },
  "dialect-gone": {
    severity: "error",
    message: 'The lists for "{dialect}" are no longer made.',
  },
  "input-refused": {
    severity: "error",
    message: "A call that was valid is refused now: {input}. {reason}",
  },
  "input-may-be-refused": {
    severity: "error",
    message:
      'A call that was valid may be refused now: "{keyword}" at {place} is not proved to accept all that was accepted, and no such call was found.',
  },
  "check-may-refuse": {
    severity: "error",
    message: "A call that was valid may be refused now by the new check {check:excerpt}; no such call was found.",
  },
  "default-changed": {
    severity: "error",
    message: "Who leaves this out may get another answer: the default was {before} and is {after}.",
  },
  "output-gone": {
    severity: "error",
    message: "The output has no schema any longer: whoever reads its fields reads what nobody promises.",
  },
  "output-weakened": {
    severity: "error",
    message: "The tool may now answer what was no valid output: {output}. {reason}",
  },
  "output-may-be-weakened": {
    severity: "error",
    message:
      'The tool may now answer what was no valid output: "{keyword}" at {place} is not proved to be kept, and no such output was found.',
  },
  "output-field-gone": {
    severity: "error",
    message: "The output may be without what its reader looks for: {place} is no longer described.",
  },

  "claim-added": {
    severity: "error",
    message: "This loosens a fail-closed default: {claim:excerpt}.",
  },
  loosened: {
    severity: "error",
    message: "{field} was {before} and is milder now: {after}.",
  },
  "call-loosened": {
    severity: "error",
    message: "For some calls {field} was {before} and is {after} now, such as {input}.",
  },
  "call-may-be-loosened": {
    severity: "error",
    message: "Some calls may be treated more mildly now: {claim:excerpt} is new, and no such call was found.",
  },
  "row-passed-by": {
    severity: "error",
    message:
      'Some calls may be treated more mildly now: the row "{row:excerpt}" is gone, is milder, or comes after a milder one, and no such call was found.',
  },
  "input-widened": {
    severity: "error",
    message:
      "A call that was refused is accepted now with {field}: {value}, such as {input}. It was refused because: {reason}",
  },
  "input-may-be-widened": {
    severity: "error",
    message:
      'A call that was refused may be accepted now and run unasked, or by a milder row: "{keyword}" at {place} is not proved to refuse what it did, and no such call was found.',
  },
  "rule-lowered": {
    severity: "warning",
    message: "The rule {rule} has the severity {after} now, and had {before}{where}.",
  },
  "finding-ignored": {
    severity: "warning",
    message: 'Findings of the rule {rule} are newly suppressed in "{path}".',
  },
  "level-lowered": {
    severity: "error",
    message: "The level diff.{level} is {after} now, and was {before}; the next change is compared under it.",
  },
  "folder-changed": {
    severity: "warning",
    message:
      'The setting {setting} is "{after}" now, and was "{before}"; code that still uses the old folder runs what the build no longer keeps up to date.',
  },
  "needs-gone": {
    severity: "error",
    message: 'The tool no longer needs "{name}" ({list}), so it also runs where that is missing.',
  },
  "joined-toolset": {
    severity: "error",
    message:
      'The toolset "{toolset}" has the tool now, with isDestructive: {destructive} and requiresPermission: {permission}.',
  },
  "gate-gone": {
    severity: "error",
    message: 'The tool was behind the feature gate "{gate}" and is not any more.',
  },
  "check-gone": {
    severity: "error",
    message: "Calls are no longer held against the check {check:excerpt}.",
  },
  "self-approved": {
    severity: "error",
    message:
      'Self-approved: the claim {claim:excerpt} and its approval ("{reason}") arrive together. Whoever reviews this change approves it.',
  },
  "approved-here": {
    severity: "warning",
    message:
      'The claim {claim:excerpt} was there and is approved in this change ("{reason}"). Whoever reviews this change approves it.',
  },
  "approval-prolonged": {
    severity: "warning",
    message:
      "The approval of {claim:excerpt} ended on {before} and ends {after} now. Whoever reviews this change approves it for longer.",
  },
  "covers-changed": {
    severity: "warning",
    message: {
      renewed:
        "The claim {claim:excerpt} may now cover other calls than those that were looked at; its approval was renewed in the same change.",
      waiting:
        "The claim {claim:excerpt} may now cover other calls than those that were looked at; its approval waits to be renewed.",
    },
  },

  "tool-added": {
    severity: "info",
    message: "The tool is new; it costs about {tokens} tokens in every request that lists it.",
  },
  "prompt-changed": {
    severity: "info",
    message: "What a model reads has changed: {parts}. About {before} → {after} tokens; {lists}.",
  },
  "entry-changed": {
    severity: "info",
    message: "What a provider is sent has changed beside the texts and the input: {keys}, {lists}.",
  },
  "strict-lost": {
    severity: "warning",
    message:
      "{dialects} no longer holds a model to the schema of this tool: its strict mode is off. Calls that break the schema reach the runtime, which refuses them.",
  },
  deferred: {
    severity: "info",
    message: "The tool is in no request until a model has searched for it.",
  },

  "not-comparable": {
    severity: "warning",
    message:
      'The tool "{name}" had errors at {base} and was not compared with what it was there; all of its claims count as new.',
  },
  "base-unreadable": {
    severity: "error",
    message: "There is nothing to compare with at {base}: {reason}",
  },
  "ref-not-found": {
    severity: "error",
    message: {
      "no-folder": 'Git does not know the ref "{ref}".',
      folder: 'Git does not know the ref "{ref}". There is a folder of that name; to compare with it, write "./{ref}".',
    },
    help: "A checkout for CI often has one commit only. Fetch the other: {command}",
  },
  "no-repository": {
    severity: "error",
    message: {
      "no-folder": '"{ref}" cannot be a git ref: the project is in no git repository.',
      folder:
        '"{ref}" cannot be a git ref: the project is in no git repository. There is a folder of that name; to compare with it, write "./{ref}".',
    },
    help: "Name a folder that holds the other version, as ./… or as an absolute path.",
  },
  "git-failed": {
    severity: "error",
    message: "git could not be asked: {reason}",
  },
} as const;

/** The name of a finding of a comparison. */
export type DiffFinding = keyof typeof definitions;

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
  "row-passed-by": "loosens",
  "input-widened": "loosens",
  "input-may-be-widened": "loosens",
  "rule-lowered": "loosens",
  "finding-ignored": "loosens",
  "level-lowered": "loosens",
  "folder-changed": "loosens",
  "needs-gone": "loosens",
  "joined-toolset": "loosens",
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
  "row-passed-by",
  "input-may-be-widened",
  "folder-changed",
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
