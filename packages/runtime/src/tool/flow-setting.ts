/** The settings of information flow, the weakest first. */
const FLOW_SETTINGS = ["off", "note", "ask"] as const;

/**
 * The treatment of information flow. `off`: no labels. `note`: results bring labels into their conversation, and nobody
 * is asked. `ask`: a person is asked about a call that may carry out what its conversation holds.
 */
export type FlowSetting = (typeof FLOW_SETTINGS)[number];

/** The topic of rules, allows and answers that let a call carry out what its conversation holds. */
export const FLOW_TOPIC = "flow";

/** Returns the message of a call that may carry out what its conversation holds while nobody can be asked. */
export function explainFlowRefusal({ tool }: { readonly tool: string }): string {
  return `${tool} was not run: what it sends leaves this conversation, which holds private data and text that an outsider may have written, and there is no one to ask. Continue without it.`;
}

/** Returns the strictest setting; `off` if there is none. */
export function strictestFlow(settings: readonly FlowSetting[]): FlowSetting {
  return FLOW_SETTINGS.findLast((setting) => settings.includes(setting)) ?? "off";
}

/** A setting with the names of the tools that it holds for together. */
export type FlowOfTools = readonly [setting: FlowSetting, tools: readonly string[]];

/** Decides the setting of some tools: that of the toolset with exactly these, else the strictest of all. */
export function decideFlow(names: readonly string[], flows: readonly FlowOfTools[]): FlowSetting {
  const picked = new Set(names);
  const exact = flows.filter(([, tools]) => tools.length === picked.size && tools.every((name) => picked.has(name)));
  return strictestFlow((exact.length > 0 ? exact : flows).map(([setting]) => setting));
}
