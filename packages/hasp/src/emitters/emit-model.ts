import type { EmitInput, EmitModel } from "./emitter.js";
import { createLayout } from "./layout.js";
import { noSharedTypes } from "./shared-types.js";

/** What the emitters share, worked out once a build. */
export function createEmitModel(input: EmitInput): EmitModel {
  const layout = createLayout(input.tools.map(({ name }) => name), input.plan);
  return { ...input, layout, sharedTypes: noSharedTypes };
}
