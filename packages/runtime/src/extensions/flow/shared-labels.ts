import { memoryLabels } from "../../calls/kept-labels.js";
import type { DispatcherExtension } from "../../dispatch/state/extension.js";

/** Creates an extension that keeps the labels of conversations for all dispatchers that have it, as long as the process. */
export function sharedLabels(): DispatcherExtension {
  const labelStore = { setUp: async () => undefined, ...memoryLabels() };
  return { name: "labels", attach: () => ({ api: undefined, conversation: "", labelStore }) };
}
