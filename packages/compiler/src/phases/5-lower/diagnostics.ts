import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  uncarried: {
    message: "{dialect} cannot express this tool: {reason}",
    help: "Change the tool, remove it from the toolset, or set `onUncarried: exclude` for the dialect.",
  },
  excluded: {
    severity: "warning",
    message: "The tool is left out of the list for {dialect}: {reason}",
  },
  "strict-refused": {
    severity: "warning",
    message: "`strict: false` has no effect in the list for {dialect}, in which every tool is strict.",
    help: "Name the dialect without `-strict` in the configuration to choose tool by tool.",
  },
  "unknown-tool": {
    needsAllSpecs: true,
    message: 'The toolset "{toolset}" names the tool "{name}", which does not exist.{nearest:suggestion}',
  },
  "unknown-selector": {
    needsAllSpecs: true,
    message: {
      tag: 'The toolset "{toolset}" names the tag "{name}", which no tool has.{nearest:suggestion}',
      owner: 'The toolset "{toolset}" names the owner "{name}", who owns no tool.{nearest:suggestion}',
      folder: 'The toolset "{toolset}" names the folder "{name}", which holds no spec.{nearest:suggestion}',
    },
  },
  "empty-toolset": {
    needsAllSpecs: true,
    message: 'The toolset "{toolset}" contains no tools.',
    help: "Name at least one tool or tag under `include`, or remove the toolset.",
  },
  "output-not-listed": {
    severity: "info",
    message: "The list for {dialect} does not describe this tool's output: {reason}",
  },
  renamed: {
    severity: "info",
    message: 'In the list for {dialect}, the tool is called "{wire}", as the dialect demands.',
  },
  narrowed: {
    severity: "warning",
    message:
      'In the list for {dialect}, "{keyword}" at "{pointer}" accepts fewer values than the spec, as `allowNarrowing` permits.',
  },
  request: {
    message: 'The provider would refuse the list for {dialect} of the toolset "{toolset}". {problem}',
    help: "To send only the tools that fit into one request, set `toolsets: { {toolset}: { partial: true } }` in the configuration.",
  },
  "request-in-part": {
    severity: "warning",
    message:
      'The provider would refuse some requests with the list for {dialect} of the toolset "{toolset}". {problem}',
  },
  partial: {
    severity: "warning",
    message:
      'The list for {dialect} of the toolset "{toolset}" leaves out {count} of its {total} tools, which do not fit into one request: {names}.',
  },
} as const;

export const lowerDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("lower", definitions);
