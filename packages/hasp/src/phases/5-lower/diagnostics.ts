import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  uncarried: {
    severity: "error",
    message: (p: { dialect: string; reason: string }): string => `${p.dialect} cannot carry this tool: ${p.reason}`,
    help: (): string =>
      "Change what it cannot carry, leave the tool out of the toolset, or set `onUncarried: exclude` for the dialect.",
  },
  excluded: {
    severity: "warning",
    message: (p: { dialect: string; reason: string }): string =>
      `The tool is left out of the list for ${p.dialect}: ${p.reason}`,
  },
  "no-strict-mode": {
    severity: "warning",
    message: (p: { dialect: string }): string =>
      `\`strict: true\` has no effect for ${p.dialect}: it has no strict mode.`,
    help: (): string => "Remove the setting, or write `auto`.",
  },
  "strict-refused": {
    severity: "warning",
    message: (p: { dialect: string }): string =>
      `\`strict: false\` has no effect in the list for ${p.dialect}, in which every tool is strict.`,
    help: (): string => "Name the dialect without `-strict` in the configuration to choose tool by tool.",
  },
  "unknown-tool": {
    severity: "error",
    message: (p: { toolset: string; name: string; nearest: string | undefined }): string =>
      `The toolset "${p.toolset}" names the tool "${p.name}", which does not exist.${p.nearest === undefined ? "" : ` Did you mean "${p.nearest}"?`}`,
  },
  "unknown-tag": {
    severity: "error",
    message: (p: { toolset: string; tag: string; nearest: string | undefined }): string =>
      `The toolset "${p.toolset}" names the tag "${p.tag}", which no tool has.${p.nearest === undefined ? "" : ` Did you mean "${p.nearest}"?`}`,
  },
  "empty-toolset": {
    severity: "error",
    message: (p: { toolset: string }): string => `The toolset "${p.toolset}" holds no tool.`,
    help: (): string => "Name at least one tool or tag under `include`, or remove the toolset.",
  },
  "output-not-listed": {
    severity: "info",
    message: (p: { dialect: string; reason: string }): string =>
      `The list for ${p.dialect} says nothing of this tool's output: ${p.reason}`,
  },
  narrowed: {
    severity: "warning",
    message: (p: { dialect: string; pointer: string; keyword: string }): string =>
      `In the list for ${p.dialect}, "${p.keyword}" at "${p.pointer === "" ? "/" : p.pointer}" takes fewer values than the spec, as \`allowNarrowing\` permits.`,
  },
  request: {
    severity: "warning",
    message: (p: { toolset: string; dialect: string; problem: string }): string =>
      `The list for ${p.dialect} of the toolset "${p.toolset}" cannot be sent as a whole. ${p.problem}`,
  },
} as const;

/** What lowering may find beside the findings of the schema package, which bring their own codes. */
export const lowerDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("lower", definitions);
