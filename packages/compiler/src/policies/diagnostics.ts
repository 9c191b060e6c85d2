import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import { predicateDefinition } from "../cel/check/messages.js";
import { formatFindings } from "../spec/format-problems.js";

const ownDefinitions = {
  "not-found": 'The policy "{path}" of the toolset "{toolset}" is missing or cannot be read.',
  "same-name":
    'The policies "{path}" and "{other}" have the same file name, but the ledger tells policies apart by file name. Rename one.',
  "not-a-policy": "A policy is an object that begins with `hasp: 1`.",
  "unknown-tool": {
    message: 'No tool of the toolset "{toolset}" is called "{pattern}".{nearest:suggestion}',
    help: "Correct the name. Tools of live MCP servers begin with mcp__.",
  },
  "input-of-several-tools":
    "A condition can read `input` only if `tool` names a single tool of the toolset. Write a rule for each tool.",
  "cannot-waive": {
    fixed: true,
    message: {
      deny: "A rule that denies calls has nothing to waive. Remove `flow`, or the decision.",
      wildcard: '`flow: allow` waives the guard for one tool that people have reviewed, but "{tool}" is a pattern.',
      alias: '`flow: allow` needs a tool\'s own name, and "{tool}" is an alias.',
      server: '`flow: allow` needs the `server` of a live MCP tool beside its name, and "{tool}" has none.',
    },
    help: "Write one rule for each tool, with its name.",
  },
  "waives-nothing": {
    severity: "warning",
    message: '`flow: allow` waives nothing here: "{tool}" says that its input reaches nobody outside.',
    help: "Remove it.",
  },
  "program-pattern": {
    fixed: true,
    message:
      "\"{field}\" is a program, and {test} does not show what a program does. Allow only complete programs: input.{field} in ['…', '…'].",
    help: "If the text is not a program, say so in the spec: contentMediaType: text/plain.",
  },
  "shadowed-rule": {
    severity: "warning",
    message: "This rule never decides a call: {by} always comes first, for example for {witness:excerpt}.",
    help: "Move it up, or remove it.",
  },
  "never-allows": {
    severity: "warning",
    message: "This rule allows nothing: {why}.",
    help: "Correct it, or remove it.",
  },
} as const;

const definitions: typeof formatFindings & typeof ownDefinitions & { readonly predicate: typeof predicateDefinition } =
  {
    ...formatFindings,
    ...ownDefinitions,
    predicate: predicateDefinition,
  };

export const policyDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("policy", definitions);
