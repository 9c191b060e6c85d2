import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import { formatFindings } from "../../spec/format-problems.js";

const ownDefinitions = {
  "not-a-spec": '"{uri}" contains no tool: a spec is an object with the keys hasp, name, description and input.',
  "no-tools": '"{uri}" lists no tools. Add a tool or remove the file.',
  "moved-key": '"{key}" has moved: write {now}.',
  "reserved-name":
    'The name "{name}" is reserved: "tool_search", "read_result" and names that begin with "mcp__" belong to the runtime. Choose another.',
  "duplicate-name": 'Two tools are called "{name}"; rename one of them.',
  "unknown-exclusion": {
    needsAllSpecs: true,
    message: 'The configuration excludes "{tool}", but no spec declares that tool.{nearest:suggestion}',
    help: "Correct the name, or remove the entry.",
  },
  "duplicate-exclusion": 'The configuration excludes "{tool}" twice. Remove one entry.',
  "duplicate-alias":
    'The alias "{alias}" is already claimed by the tool "{owner}"; an alias can stand for one tool only.',
  "alias-is-a-tool":
    'The alias "{alias}" would never be reached: a tool has that name, and names take precedence over aliases. Remove the alias.',
  contradiction: { fixed: true, message: '"{claim}" contradicts "{other}"; change one of the two.', help: "{why}." },
  "inherited-claim": {
    fixed: true,
    message:
      "A tool must state its own claims, and this YAML alias repeats those of another one. Write the values out here.",
  },
  "ref-file-not-found": '"{ref}" points to "{path}", which is not a file of the project.{nearest:suggestion}',
  "ref-unreadable": '"{ref}" cannot be read: {reason}.',
  "ref-outside-project":
    '"{ref}" points outside the project; hasp reads nothing there. Copy the file into the project and refer to the copy.',
  "ref-not-pinned":
    '"{ref}" is a remote schema that the configuration does not pin. Copy it into the project, or pin it with "hasp build --pin {ref}".',
  "ref-unknown-scheme":
    '"{ref}" is neither "#/…", nor a file of the project, nor the $id of a schema here, nor a pinned https address.',
  "ref-under-id":
    '"{ref}" refers to "{byFile}" from this file, but to "{byId}" from the $id around it. Remove the $id, or copy the intended schema into "$defs" and write "#/$defs/…".',
  "ref-to-spec": '"{ref}" points into the tool spec "{path}"; move what the two tools share into a file of its own.',
} as const;

const definitions: typeof formatFindings & typeof ownDefinitions = { ...formatFindings, ...ownDefinitions };

export const resolveDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("resolve", definitions);
