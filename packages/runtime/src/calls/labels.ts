import type { Label } from "./call-store.js";

/** Every label, in the order in which results list them. */
export const LABELS: readonly Label[] = /* @__PURE__ */ Object.freeze<Label[]>(["untrusted", "private"]);
