import {
  type DiagnosticDeclarations,
  type Diagnostic,
  defineDiagnostics,
  type DiagnosticFactory,
} from "@hasp/base/diagnostics";
import type { JsonObject } from "@hasp/schema";
import type { DiffLevels } from "../model/plan.js";

/** Changes that reject valid calls or answer them otherwise. */
const breaks = {
  "tool-gone": {
    message: 'The tool "{name}" is gone; calls to it get "unknown tool".',
    help: 'If it has a new name, list the old one there under "aliases".',
  },
  "tool-renamed": {
    message:
      'Renamed: "{before}" is now "{after}", and nothing else changed. Calls by the old name get "unknown tool".',
    help: 'To keep the old name working, list it under "aliases".',
  },
  "tool-excluded": 'The configuration now excludes the tool "{name}" ({reason}); calls to it get "unknown tool".',
  "alias-gone": 'The alias "{alias}" is gone; calls by that name get "unknown tool".',
  "toolset-gone": 'The toolset "{toolset}" is gone.',
  "left-toolset": {
    message: {
      one: 'The tool is no longer in the toolset "{toolset}".',
      many: 'The configuration takes {tools} out of the toolset "{toolset}": {names}.',
    },
  },
  "left-list": "The list for {dialect} no longer has the tool: {reason}",
  "dialect-gone": 'The lists for "{dialect}" are no longer built.',
  "input-refused": "A call that was valid is now rejected: {input}. {reason}",
  "input-reread": "A call with {input} was taken as it is and is now read as {value}.",
  "output-gone": "The output no longer has a schema, so nothing guarantees its fields.",
  "output-weakened": "The tool may now return an output that was not valid before: {output}. {reason}",
} as const;

/** Possible breaks, neither proved nor shown by an example. */
const mayBreak = {
  "gate-added": 'The tool is now listed only where the feature "{gate}" is on; it was always listed before.',
  "interaction-added": "The tool now needs a user: without one, it is neither listed nor run.",
  "input-may-be-refused":
    'A call that was valid may now be rejected: "{keyword}" at {location} could not be proved to accept everything that it accepted before. {search}',
  "grammar-may-refuse": "The grammar has changed: models may no longer be able to write a text that they wrote before.",
  "check-may-refuse": "The new check {check:excerpt} may reject a call that was valid. {search}",
  "default-changed": "Calls that leave this out may get another answer: the default was {before} and is now {after}.",
  "output-may-be-weakened":
    'The tool may now return an output that was not valid before: "{keyword}" at {location} could not be proved to hold. {search}',
  "call-store-moved":
    "The call store was {before:excerpt} and is now {after:excerpt}: questions and records of the old one are not found unless somebody moves them.",
  "output-field-gone": "The output may lack a field that its readers expect: {location} is no longer declared.",
  "needs-added": 'The tool now also needs "{name}" ({list}); where it is missing, calls fail.',
  "choice-changed": "{field} was {before} and is now {after}. Callers may rely on what it was.",
} as const;

const loosens = {
  "claim-added": "This loosens a fail-closed default: {claim:excerpt}.",
  loosened: "{field} was {before} and is now looser: {after}.",
  "call-loosened": "For some calls, {changes}. Example: {input}.",
  "input-widened":
    "A call that was rejected is now accepted with {field}: {value}. Example: {input}. It was rejected because: {reason}",
  "rule-lowered": "The severity of the rule {rule} was {before} and is now {after}{where}.",
  "finding-ignored": 'This change suppresses findings of the rule {rule} in "{path}".',
  "level-lowered": "The level diff.{level} was {before} and is now {after}. It applies from the next change on.",
  "approvals-unverified": "approvals.verify was {before} and is now {after}. It applies from the next change on.",
  "policy-loosened": {
    message: {
      gone: 'The toolset "{toolset}" no longer has a policy.',
      undenied: 'The policy of "{toolset}" no longer denies "{pattern}".',
      "rule-gone": 'The policy of "{toolset}" no longer has the rule {rule}.',
      "rule-changed": 'In the policy of "{toolset}", the rule {before} is now {after}. {example}',
      allowed: 'The policy of "{toolset}" has a new allow rule: {rule}.',
      reached: 'Calls of the tool may now run unasked: the policy of "{toolset}" says {claim}, and now matches it.',
      unnamed: 'The policy of "{toolset}" has {rule}, which named this tool and no longer does.',
      mode: 'The mode of the policy of "{toolset}" is now {after}; it was {before}.',
    },
  },
  "path-opened": {
    message: {
      guard:
        "This opens a path by which a text that an outsider wrote may make a model send private data outside: {path}{more}. The dispatcher asks a person first, unless the host waives that.",
      "every-call":
        "This opens a path by which a text that an outsider wrote may make a model send private data outside: {path}{more}. A person is asked about every call of its last tool.",
      refused:
        "This opens a path by which a text that an outsider wrote may make a model send private data outside: {path}{more}. Nobody can be asked about its last tool, so such calls are refused.",
      noted:
        "This opens a path by which a text that an outsider wrote may make a model send private data outside: {path}{more}. Nobody is asked, since the toolset says `flow: note`.",
      waived:
        "This opens a path by which a text that an outsider wrote may make a model send private data outside, and nobody is asked: {path}{more}.",
    },
  },
  "flow-lowered": {
    message: {
      note: 'The flow of the tools of "{toolset}" was {before} and is now note: nobody is asked any more before private data may leave because an outsider asked for it.',
      off: 'The flow of the tools of "{toolset}" was {before} and is now off: no result is labelled, nobody is asked, and no path is reported.',
    },
  },
  "extension-gone":
    'The registry no longer names the extension "{name}", asked for by {tools}: for tools of its own and of MCP servers, a host has it only if it adds it.',
  "project-gone": {
    message: 'The configuration "{path}" is gone: nothing checks and compares the tools that it named.',
    help: "Restore it, or pass --allow loosens if its tools are gone, too.",
  },
  "project-new": {
    message: "There are no tools at {base}: all tools and settings here are new and were compared with nothing.",
    help: "A person has to read them: the review lists each claim.",
  },
  "toolset-partial":
    'The toolset "{toolset}" is now partial: lists that exceed a provider\'s limit leave tools out, and no build fails.',
  "needs-gone": 'The tool no longer needs "{name}" ({list}), so it also runs without it.',
  "isolation-loosened": {
    message: {
      gone: "The handler no longer runs in a process of its own.",
      limit: "handler.isolation.{limit} was {before} and is now {after}.",
    },
  },
  "joined-toolset": {
    message: {
      one: 'The tool joins the toolset "{toolset}", with isDestructive: {destructive} and requiresPermission: {permission}.',
      many: 'By this setting, {tools} join the toolset "{toolset}" ({destructive} may destroy, {unasked} may run unasked): {names}.',
    },
  },
  "bind-loosened": {
    message: {
      gone: 'A model may now choose "{name}", which was always {before}.',
      other: 'The value of "{name}" was always {before} and is now {after}.',
    },
  },
  "output-check-lowered":
    "outputCheck was {before} and is now {after}, so that a result may differ from the output schema.",
  "gate-gone": 'The tool is no longer behind the feature gate "{gate}".',
  "check-gone": "Calls no longer have to pass the check {check:excerpt}.",
  "self-approved": {
    message: {
      new: 'Self-approved: the claim {claim:excerpt} and its approval ("{reason}") arrive together. The reviewer of this change approves it.',
      renewed:
        'Self-approved: under the claim {claim:excerpt}, this has changed: {covered}. Its approval was renewed in the same change ("{reason}"). The reviewer of this change approves it.',
    },
  },
  "approval-rewritten":
    "This change rewrites an earlier approval of {claim:excerpt}: {changes}. The ledger now says something else about who approved it, when or why.",
  "alias-moved": 'Calls by the name "{alias}" now run this tool; they ran "{earlier}".',
  "environment-widened": 'The handler now receives the environment variable "{name}".',
  "secret-shown":
    'The values of "{name}" in the {part} are no longer marked as secret: questions, records and telemetry may now hold them.',
  "toolset-added":
    'The toolset "{toolset}" is new. It offers {tools} ({destructive} may destroy, {unasked} may run unasked), {policy}.',
  "uncarried-excluded": "Lists for {dialect} now leave out what it cannot carry, and no build fails.",
  "call-store-gone":
    "The configuration no longer names a call store ({before:excerpt}): calls leave no record, and after a restart a call that had begun may run again.",
} as const;

/** Possible loosenings, neither proved nor shown by an example. */
const mayLoosen = {
  "grammar-may-loosen": "The grammar has changed, or is gone: models may write a text that it excluded before.",
  "context-moved": {
    message: {
      moved:
        'The context came from "{before}" and now comes from "{after}". `hasp serve` and `hasp call` may bind other values into calls.',
      new: 'The context now comes from "{after}". `hasp serve` and `hasp call` bind its values into calls.',
    },
  },
  "plugin-changed": {
    message: {
      changed: "The code of the plugin {name} has changed, and its rules may find less than before.",
      new: "The plugin {name} is new: its code runs in every check and build, with the rights of the user who runs them.",
    },
  },
  "settings-unknown":
    'When the base was built, "{path}" had other contents or gave other settings than it does with the packages installed now: rules may have been stricter.',
  "rule-changed": "The configuration changes what the rule {rule} checks.",
  "call-may-be-loosened": "The new claim {claim:excerpt} may loosen some calls. {search}",
  "row-passed-by":
    'Some calls may be loosened: the row "{row:excerpt}" was removed, was loosened, comes after a looser one, or is in a table that reads a changed default. {search}',
  "input-may-be-widened":
    'A call that was rejected may now run unasked or under a looser row: "{keyword}" at {location} could not be proved to reject everything that it rejected before. {search}',
  "folder-changed":
    'The setting {setting} was "{before}" and is now "{after}". Code that still uses the old folder runs files that no build updates.',
  "policy-may-loosen": {
    message: {
      order: 'The rules of the policy of "{toolset}" are in a different order; a different one may now decide a call.',
      unknown:
        'The policy of "{toolset}" had errors at {base} and could not be compared; everything in it may be looser.',
      "rule-changed": 'In the policy of "{toolset}", the rule {before} is now {after}. {example}',
      named:
        'In the policy of "{toolset}", the rule {rule} now names the tool, and comes before a rule that denies it.',
      "asked-first": 'In the policy of "{toolset}", the new rule {rule} comes before a rule that denies.',
    },
  },
  "handler-changed": {
    message: {
      kind: "The tool now works in another way: it was {before} and is now {after}.",
      part: "The tool may now do something else: {path} was {before:excerpt} and is now {after:excerpt}.",
    },
  },
  "connection-changed":
    'The connection "{name}" may now reach something else: {setting} was {before:excerpt} and is now {after:excerpt}.',
  "covers-changed":
    "The claim {claim:excerpt} may now cover other calls than those that were reviewed: {covered} changed. Its approval has to be renewed.",
} as const;

/** Approvals of claims and findings that an earlier change made; they belong to the list of loosenings. */
const approvals = {
  "approved-here": {
    severity: "warning",
    message:
      'The claim {claim:excerpt} existed before and is approved in this change ("{reason}"). The reviewer of this change approves it.',
  },
  "approval-prolonged": {
    severity: "warning",
    message:
      "The approval of {claim:excerpt} ended on {before} and now ends {after}. The reviewer of this change extends it.",
  },
  "finding-silenced": {
    severity: "warning",
    message:
      'The rule {rule} has a new finding, which an earlier entry of the configuration for "{path}" suppresses: {finding:excerpt}',
  },
} as const;

const prompt = {
  "tool-added": {
    severity: "info",
    message: "The tool is new; it costs about {tokens} tokens in every request that lists it.",
  },
  "prompt-changed": {
    severity: "info",
    message: "The text that a model reads has changed: {parts}.{words} About {before} → {after} tokens; {lists}.",
  },
  "description-varies": {
    severity: "info",
    message:
      "Where a host asks for a context, models read what `{name}` of the handler returns instead of the description. These words come from code, so no review of specs shows them.",
  },
  "description-fixed": {
    severity: "info",
    message: "Models now read the description in every context; no code varies it any more.",
  },
  "entry-changed": {
    severity: "info",
    message: "The provider entry has changed beyond texts and input: {keys}, {lists}.",
  },
  "strict-lost": {
    severity: "warning",
    message:
      "{dialects} no longer makes the model follow the schema of this tool: its strict mode is off. Calls that break the schema reach the runtime, which refuses them.",
  },
  "renamed-with-alias": {
    severity: "info",
    message: 'Renamed: "{before}" is now "{after}"; calls by the old name still work.',
  },
  "alias-added": {
    severity: "info",
    message: 'Calls may now also use the name "{alias}".',
  },
  "display-changed": {
    severity: "info",
    message: "The text that people read about calls has changed: {before:excerpt} → {after:excerpt}.",
  },
  "listing-changed": {
    severity: "info",
    message: "{setting} was {before:excerpt} and is now {after:excerpt}.",
  },
  "extension-added": {
    severity: "info",
    message: 'The registry now names the extension "{name}", asked for by {tools}.',
  },
  deferred: {
    severity: "info",
    message: "No request lists the tool until a model has searched for it.",
  },
} as const;

const obstacles = {
  "not-comparable": {
    severity: "warning",
    message: 'The tool "{name}" had errors at {base} and could not be compared; all of its claims count as new.',
  },
  "base-unreadable": "Nothing to compare with at {base}: {reason}",
  "ref-not-found": {
    message: {
      "no-folder": 'Git does not know the ref "{ref}".',
      folder: 'Git does not know the ref "{ref}". There is a folder of that name; to compare with it, write "./{ref}".',
    },
    help: "`git branch --all` lists the branches. A CI checkout often has a single commit; fetch the other one: {command}",
  },
  "ref-ambiguous": {
    message: 'Git knows several refs by the name "{ref}", such as a tag and a branch.',
    help: "Write the full name, refs/heads/{ref} or refs/remotes/{ref}, or delete the other ref.",
  },
  "no-repository": {
    message: {
      "no-folder": '"{ref}" cannot be a git ref: the project is not in a git repository.',
      folder:
        '"{ref}" cannot be a git ref: the project is not in a git repository. There is a folder of that name; to compare with it, write "./{ref}".',
    },
    help: "Name a folder that holds the other version, as ./… or as an absolute path.",
  },
  "no-commits": {
    message: 'There is nothing to compare with at "{ref}": this repository has no commits yet.',
    help: "Commit what you have; from then on, `hasp diff HEAD` shows what a change means.",
  },
  "git-failed": "git failed: {reason}",
} as const;

interface Failing {
  readonly [finding: string]: DiagnosticDeclarations[string] & (string | { readonly severity?: "error" });
}

const byLevel = { breaks, mayBreak, loosens, mayLoosen, prompt } satisfies {
  readonly [level in keyof Required<DiffLevels>]: level extends "prompt" ? DiagnosticDeclarations : Failing;
};
const definitions: typeof breaks &
  typeof mayBreak &
  typeof loosens &
  typeof mayLoosen &
  typeof approvals &
  typeof prompt &
  typeof obstacles = { ...breaks, ...mayBreak, ...loosens, ...mayLoosen, ...approvals, ...prompt, ...obstacles };

export type DiffFinding = keyof typeof definitions;

export const diffDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("diff", definitions);

export type DiffList = "breaks" | "loosens" | "prompt";

const LEVELS: ReadonlyMap<string, keyof DiffLevels> = new Map([
  ...Object.keys(approvals).map((name) => [`diff/${name}`, "loosens"] as const),
  ...(Object.keys(byLevel) as readonly (keyof typeof byLevel)[]).flatMap((level) =>
    Object.keys(byLevel[level]).map((name) => [`diff/${name}`, level] as const),
  ),
]);

type ListedFinding = Pick<Diagnostic, "code" | "data">;

/** Marks a finding about a new path whose calls all ask somebody or are refused: it loosens nothing. */
export const GUARDED_PATH: JsonObject = { isGuarded: true };

/** Finds the configuration key for the severity of a finding; `undefined` if the finding prevented a comparison. */
export function findLevelName({ code, data }: ListedFinding): keyof DiffLevels | undefined {
  return data?.["isGuarded"] === true ? "prompt" : LEVELS.get(code);
}

/** Finds the list of a finding; `undefined` if the finding prevented a comparison. */
export function findList(finding: ListedFinding): DiffList | undefined {
  const level = findLevelName(finding);
  if (level === "mayBreak") return "breaks";
  return level === "mayLoosen" ? "loosens" : level;
}

export function isUnproved(code: string): boolean {
  return LEVELS.get(code)?.startsWith("may") === true;
}
