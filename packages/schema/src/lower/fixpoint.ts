import { referenceIn, ROOT } from "./context/references.js";
import type { Codec } from "../codec/codec.js";
import type { Dialect } from "../dialects/definition/dialect.js";
import type { FlatSource } from "./flat-source.js";
import { createLoweringContext, type Lowered, type LoweringContext } from "./context/context.js";
import { lowerRoot } from "./keywords/root.js";
import type { LowerOptions } from "./context/types.js";
import { walkSchema } from "../vocabulary/walk-schema.js";

/**
 * Lowers the root until a fixpoint. Whether a recursive definition changes its values is known only after it has been
 * lowered. The first round assumes that none does, and each round that finds one is repeated.
 */
export function lowerToFixpoint(
  source: FlatSource,
  dialect: Dialect,
  { allowNarrowing = false }: Pick<LowerOptions, "allowNarrowing">,
): { readonly context: LoweringContext; readonly lowered: Lowered | undefined } {
  const changing = new Set<string>();
  for (;;) {
    const context = createLoweringContext(dialect, source, allowNarrowing, new Set(changing));
    const lowered = lowerRoot(context, source.root);
    const found = [...context.loweredDefinitions].filter(
      ([name, definition]) => definition?.codec !== undefined && !changing.has(name),
    );
    if (found.length === 0) return { context, lowered };
    for (const [name] of found) changing.add(name);
    addUsers(changing, context);
  }
}

/** Adds the definitions that use a changing one, so that long chains need only one more round. */
function addUsers(changing: Set<string>, context: LoweringContext): void {
  const uses = new Map<string, ReadonlySet<string>>();
  for (const [name, { schema }] of [...context.loweredDefinitions].flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )) {
    const used = new Set<string>();
    walkSchema(schema, (visit) => {
      const target = referenceIn(visit.schema);
      if (target !== undefined && target !== ROOT) used.add(target);
    });
    uses.set(name, used);
  }
  for (let size = -1; size !== changing.size;) {
    size = changing.size;
    for (const [name, used] of uses) {
      if ([...used].some((target) => changing.has(target))) changing.add(name);
    }
  }
}

export function withDefinitionCodecs(context: LoweringContext, codec: Codec | undefined): Codec | undefined {
  if (codec === undefined || context.changing.size === 0) return codec;
  const definitions = [...context.loweredDefinitions].flatMap(([name, definition]) =>
    definition?.codec === undefined ? [] : [[name, definition.codec] as const],
  );
  return definitions.length === 0
    ? codec
    : { kind: "definitions", definitions: Object.fromEntries(definitions), root: codec };
}
