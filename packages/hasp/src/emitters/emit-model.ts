import type { EmitInput, EmitModel } from "./emitter.js";
import { createLayout } from "./layout.js";
import { findSharedTypes } from "./shared-types.js";
import { ownSuffixes, reservedNames } from "./type-names.js";

/** What the emitters share, worked out once a build. */
export function createEmitModel(input: EmitInput): EmitModel {
  const layout = createLayout(input.tools.map(({ name }) => name), input.plan);
  // A tool's own types keep their names, whatever a shared file calls its definitions.
  const own = input.tools.flatMap(({ name }) => ownSuffixes.map((suffix) => layout.names(name).pascal + suffix));
  const taken = [...own, ...reservedNames, ...(input.plan.context === undefined ? [] : [input.plan.context.type])];
  return { ...input, layout, sharedTypes: findSharedTypes(input.tools, input.documents ?? [], taken) };
}
