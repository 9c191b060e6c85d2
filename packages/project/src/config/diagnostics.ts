import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import { formatFindings } from "@hasp/compiler/formats";

const ownDefinitions = {
  misnamed: {
    message: '"{path}" looks like a configuration, but its name is not one of {names:list}.',
    help: "Rename it, or name it with --config {path}.",
  },
  "earlier-key": {
    message: '"{key}" has a new form: {form}.',
    help: '"hasp check --fix" rewrites a configuration in YAML or JSON, and prints what to write in one that is a program.',
  },
  "not-an-object": '"{uri}" must contain an object with keys such as specs, outDir and dialects.',
  "not-data": {
    message: {
      export:
        "The default export is {what}; a configuration contains only data: strings, numbers, booleans, lists and objects.",
      member:
        '"{pointer}" is {what}; a configuration contains only data: strings, numbers, booleans, lists and objects.',
    },
  },
  "unknown-rule": {
    message: {
      rule: 'There is no rule "{rule}".{nearest:suggestion}',
      finding:
        '"{rule}" can be neither suppressed nor changed in severity: it is not a style rule but decides what is built. Remove the entry and do what the finding says, or see "hasp show {rule}".',
    },
  },
  "reserved-prefix":
    'The rule "{rule}" may not begin with "{prefix}/", which belongs to hasp. Use the name of your company or team.',
  "slow-pattern": {
    message: 'The pattern "{pattern:excerpt}" {problem}.',
    help: "Write it without back-references and with smaller counts, so that it runs in linear time.",
  },
  "unknown-field": 'No {on} has a field "{field}".{nearest:suggestion}',
  "not-in-preset": {
    message: 'The preset "{uri}" sets {key}; a preset may only set {allowed:list}.',
    help: "Move it to the project's own configuration, where the project's reviewers see it.",
  },
  "preset-not-found": { message: 'Nothing is named "{name}": {looked}.', help: "{remedy:optional}" },
  "preset-outside":
    '"{name}" points outside the project; presets and rules are files inside it, or an installed package.',
  "preset-cycle": { message: "These presets extend each other in a cycle: {chain}.", help: 'Remove one "extends".' },
  "unused-override": 'The override for "{path}" matches no file of the project; correct the path or remove the entry.',
  "outside-project": '"{key}" points outside the project ("{path}"); hasp reads and writes only inside it.',
  "foreign-folder": {
    message: '{key} "{path}" is in {name}/, which belongs to {owner}; hasp writes nothing there.',
    help: "Choose a folder of your own, such as {example}.",
  },
  "handlers-over-ledger": 'handlers "{handlers}" is in hasp-ledger/, which contains approvals, not code.',
  "folders-overlap":
    'outDir "{outDir}" belongs to hasp and handlers "{handlers}" to you: neither may contain the other.',
  "out-over-ledger": 'outDir "{outDir}" is in hasp-ledger/, which contains approvals, not generated files.',
  "out-over-specs":
    'outDir "{outDir}" belongs to hasp, but "specs" names "{specs}" inside it. Choose another folder for one of them.',
  "limit-above": {
    message:
      "The API behind {dialect} takes at most {most} as `{limit}`; the configuration may lower that, not raise it.",
    help: "Remove the limit, or write a smaller one.",
  },
  "no-list-for-clients": {
    message: "`clients` read lists for MCP, and `dialects` names none.",
    help: "Add mcp or mcp-2025-11-25 to `dialects`.",
  },
  "unknown-client": {
    message: 'No plugin provides the client "{client}".{nearest:suggestion}',
    help: "`plugins` names the plugin, whose name is before the slash.",
  },
  "no-cache-control": "The dialect {dialect} has no cache control; only Anthropic's dialects do.",
  "unknown-dialect": {
    message: 'No plugin provides the dialect "{dialect}".{nearest:suggestion}',
    help: "`plugins` names the plugin, whose name is before the slash.",
  },
  "taken-field": {
    message: 'hasp decides about "{field}" in the entries for {dialect}; `extra` cannot set it.',
    help: "Remove it here. `extra` adds fields that claim nothing. The spec states what the tool does, and `strict` beside `extra` asks for strict mode.",
  },
  "constant-in-entry": {
    severity: "warning",
    message:
      'Every tool in the list for {dialect} says "{field}": {value}. Its plugin writes that for each tool, whatever the tool does.',
    help: "Check that it claims nothing about a tool: no permission, hint or flag. What a tool does is for its spec to say.",
  },
  "similar-dialects": {
    message: 'The dialects "{dialect}" and "{twin}" have the same name in generated code.',
    help: "Rename one of them in its plugin.",
  },
  "cannot-load": 'The configuration "{uri}" cannot be loaded: {reason}.',
  "not-found": 'There is no configuration at "{path}".',
  "two-configurations": "There are several configurations ({names:list}); keep one.",
} as const;

const definitions: typeof formatFindings & typeof ownDefinitions = { ...formatFindings, ...ownDefinitions };

export const configDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("config", definitions);
