import { copyJson } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { type NamedTool, printNames } from "../../dispatch/permissions/tool-pattern.js";
import type { Concern } from "../../dispatch/state/extension.js";
import { answerNow } from "../../tool/callback.js";
import type { FlowDetails, AnyTool } from "../../tool/definition.js";
import { explainFlowRefusal, FLOW_TOPIC } from "../../tool/flow-setting.js";
import { printPlainLine } from "../../tool/sentence.js";

/** Creates the concern that a call may carry private data outside because an outsider asked for it. */
export function createFlowConcern(flow: FlowDetails, entry: NamedTool | undefined): Concern {
  const tool = entry?.tool;
  return {
    topic: FLOW_TOPIC,
    details: flow as FlowDetails & JsonObject,
    reason: explainFlow(flow),
    refusal: { code: FLOW_TOPIC, message: explainFlowRefusal({ tool: tool?.name ?? "" }), remedy: flowRemedy(entry) },
    // Names the destination as far as it follows from this input.
    about(input) {
      const { destination: known, ...sources } = flow;
      const isKnown = known !== undefined && input !== undefined;
      const destination = isKnown ? findDestination(input, tool) : undefined;
      return createFlowConcern(destination === undefined ? sources : { ...sources, destination }, entry);
    },
  };
}

/** Advises the developer how a call may carry what its conversation holds to the outside. */
function flowRemedy(entry: NamedTool | undefined): string {
  return (
    "State `behavior.isOpenWorld: false` in its spec if its input reaches nobody outside. Or have a person asked, by `permissions.ask` or a client that can. " +
    `Or let it send anything, by \`permissions.allow({ ${printNames(entry)}, flow: true }, …)\` or \`flow: allow\` on a rule. Or set \`flow: note\`, so that nobody is asked.`
  );
}

/** Says what may leave, and why that may not be what the person wants. */
function explainFlow(flow: FlowDetails): string {
  const { destination } = flow;
  // The model wrote it: quoted, it cannot pass for words of the question.
  const isName = typeof destination === "string" && /^[\w.@:/+-]+$/u.test(destination);
  const to =
    destination === undefined ? "" : ` (${printPlainLine(isName ? destination : JSON.stringify(destination))})`;
  return (
    `It may carry private data of this conversation${sources(flow.private)} to somebody outside${to}, ` +
    `and text that an outsider may have written${sources(flow.untrusted)} may have asked for that`
  );
}

function sources(calls: readonly { readonly toolName: string }[]): string {
  const names = [...new Set(calls.map(({ toolName }) => toolName))];
  if (names.length === 0) return ", as far as is known,";
  return ` (from ${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""})`;
}

/** Returns the destination that the tool names for this input. An error or absence gives `undefined`. */
export function findDestination(input: unknown, tool: AnyTool | undefined): JsonValue | undefined {
  try {
    const destination = answerNow(tool?.destination?.(input as never));
    return destination === undefined || destination === null ? undefined : copyJson(destination);
  } catch {
    return undefined;
  }
}
