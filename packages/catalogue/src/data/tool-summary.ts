import type { FlatTool } from "../../../compiler/src/model/tool.js";
import type { ShownClaim } from "../../../compiler/src/policies/index.js";
import type { Asking, Effect, ToolRecord, ToolSummary } from "../model.js";
import { cut } from "./cut.js";

interface SummaryContext {
  /** Tokens in every request that lists the tool. */
  readonly tokens: number;
  readonly claims: readonly ShownClaim[];
  readonly findings: number;
  readonly toolsets: readonly string[];
}

const LONGEST_SENTENCE = 200;

/** Summarizes a tool for lists, with the strictest answers that any call may get. */
export function toolSummary(
  tool: FlatTool,
  record: ToolRecord,
  { tokens, claims, findings, toolsets }: SummaryContext,
): ToolSummary {
  const { spec, metadata, worstCase } = tool;
  return {
    name: tool.name,
    ...(spec.title === undefined ? {} : { title: cut(spec.title, LONGEST_SENTENCE) }),
    about: cut(firstSentence(spec.description), LONGEST_SENTENCE),
    ...(spec.owner === undefined ? {} : { owner: spec.owner }),
    tags: spec.tags ?? [],
    aliases: spec.aliases ?? [],
    toolsets,
    effect: effectOf(tool),
    asking: askingOf(tool, record, claims),
    class: worstCase.class,
    isOpenWorld: worstCase.isOpenWorld,
    needsUser: metadata.behavior.requiresUserInteraction,
    isDeferred: metadata.visibility.shouldDefer,
    ...(spec.visibility?.featureGate === undefined ? {} : { featureGate: spec.visibility.featureGate }),
    tokens,
    claims: claims.length,
    waiting: claims.filter(({ state }) => state !== "approved").length,
    findings,
  };
}

function effectOf({ worstCase }: FlatTool): Effect {
  if (worstCase.isReadOnly) return "reads";
  return worstCase.isDestructive ? "destroys" : "writes";
}

/** Reads the record, because conditions of the tool itself would need flattening. */
function askingOf(
  { worstCase }: FlatTool,
  { runnable: { rules, flags } }: ToolRecord,
  claims: readonly ShownClaim[],
): Asking {
  if (!worstCase.requiresPermission) return "never";
  const isMilder =
    claims.some(({ grant }) => grant !== undefined) ||
    rules.some(({ requiresPermission }) => requiresPermission === false) ||
    flags.some(({ flag }) => flag === "requiresPermission");
  return isMilder ? "sometimes" : "always";
}

function firstSentence(description: string): string {
  const [sentence = ""] = description
    .trim()
    .slice(0, 1000)
    .split(/(?<=[.!?])\s/u, 1);
  return sentence;
}
