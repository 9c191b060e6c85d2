import type { Codec } from "../codec/codec.js";

/**
 * Removes what changes nothing: uses of recursive definitions whose values all travel unchanged, and whatever held only
 * those. Names the definitions that remain.
 */
export function simplifyCodec(root: Codec | undefined, definitions: ReadonlyMap<string, Codec | undefined>): Codec | undefined {
  const changing = changingDefinitions(definitions);
  const simple = root === undefined ? undefined : simplified(root, changing);
  if (simple === undefined) return undefined;
  const used = new Map<string, Codec>();
  collect(simple, used, definitions, changing);
  return used.size === 0 ? simple : { kind: "definitions", definitions: Object.fromEntries(used), root: simple };
}

/** The definitions with a change of their own, or that use one: the least such set. */
function changingDefinitions(definitions: ReadonlyMap<string, Codec | undefined>): ReadonlySet<string> {
  const changing = new Set<string>();
  for (let size = -1; size !== changing.size; ) {
    size = changing.size;
    for (const [name, codec] of definitions) {
      if (codec !== undefined && simplified(codec, changing) !== undefined) changing.add(name);
    }
  }
  return changing;
}

function simplified(codec: Codec, changing: ReadonlySet<string>): Codec | undefined {
  const inner = (value: Codec | undefined): { readonly value?: Codec } => {
    const simple = value === undefined ? undefined : simplified(value, changing);
    return simple === undefined ? {} : { value: simple };
  };
  switch (codec.kind) {
    case "reference":
      return changing.has(codec.name) ? codec : undefined;
    case "array": {
      const items = simplified(codec.items, changing);
      return items === undefined ? undefined : { kind: "array", items };
    }
    case "object": {
      const properties = Object.entries(codec.properties).flatMap(([name, property]) => {
        const { value, ...shape } = property;
        const simple = { ...shape, ...inner(value) };
        return Object.keys(simple).length === 0 ? [] : [[name, simple] as const];
      });
      const additional = inner(codec.additional).value;
      const { rest } = codec;
      if (properties.length === 0 && additional === undefined && rest === undefined) return undefined;
      return {
        kind: "object",
        properties: Object.fromEntries(properties),
        ...(additional === undefined ? {} : { additional }),
        ...(rest === undefined ? {} : { rest: { wire: rest.wire, declared: rest.declared, ...inner(rest.value) } }),
      };
    }
    case "pairs":
      return { kind: "pairs", ...inner(codec.value) };
    case "wrap":
      return { kind: "wrap", wire: codec.wire, ...inner(codec.value) };
    case "tuple": {
      const { value, ...shape } = codec;
      return { ...shape, ...inner(value) };
    }
    case "union": {
      const branches = codec.branches.map(({ accepts, wire, value }) => ({ accepts, wire, ...inner(value) }));
      return branches.some((branch) => branch.value !== undefined) ? { kind: "union", branches } : undefined;
    }
    case "text":
    case "definitions":
      return codec;
  }
}

function collect(
  codec: Codec | undefined,
  used: Map<string, Codec>,
  definitions: ReadonlyMap<string, Codec | undefined>,
  changing: ReadonlySet<string>,
): void {
  if (codec === undefined) return;
  switch (codec.kind) {
    case "reference": {
      if (used.has(codec.name)) return;
      const definition = definitions.get(codec.name);
      const simple = definition === undefined ? undefined : simplified(definition, changing);
      if (simple === undefined) return;
      used.set(codec.name, simple);
      collect(simple, used, definitions, changing);
      return;
    }
    case "array":
      collect(codec.items, used, definitions, changing);
      return;
    case "object":
      for (const property of Object.values(codec.properties)) collect(property.value, used, definitions, changing);
      collect(codec.additional, used, definitions, changing);
      collect(codec.rest?.value, used, definitions, changing);
      return;
    case "union":
      for (const branch of codec.branches) collect(branch.value, used, definitions, changing);
      return;
    case "pairs":
    case "wrap":
    case "tuple":
      collect(codec.value, used, definitions, changing);
      return;
    case "text":
    case "definitions":
  }
}
