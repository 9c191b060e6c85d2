/** The settings of information flow, the weakest first. */
const FLOW_SETTINGS = ["off", "note", "ask"] as const;

/**
 * The treatment of information flow. `off`: no labels. `note`: results bring labels into their conversation, and nobody
 * is asked. `ask`: a person is asked about a call that may carry out what its conversation holds.
 */
export type FlowSetting = (typeof FLOW_SETTINGS)[number];

/** Returns the strictest setting; `off` if there is none. */
export function strictestFlow(settings: readonly FlowSetting[]): FlowSetting {
  return FLOW_SETTINGS.findLast((setting) => settings.includes(setting)) ?? "off";
}
