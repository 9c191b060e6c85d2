import {
  entailedBy,
  metadataOf,
  type FieldGroup,
  type FieldPath,
  type ToolMetadata,
  type VaryingFlag,
} from "./fields.js";

/** The statements of a spec or a definition: values by group and name, and conditions for flags that vary. */
export type StatedGroups = { readonly [Group in FieldGroup]?: object | undefined };

/** A tool's own values, and the fields that are not defaults. */
export interface ResolvedMetadata {
  readonly metadata: ToolMetadata;
  readonly stated: ReadonlySet<FieldPath>;
}

/** Resolves every field: the stated value, else what the class entails, else the default. Varying flags are strict. */
export function resolveMetadata(groups: StatedGroups): ResolvedMetadata {
  const stated = new Set<FieldPath>();
  const entailed = entailedBy(statedValue(groups, "concurrency", "class"));
  const metadata = metadataOf(({ group, name, path, field }) => {
    const value =
      statedValue(groups, group, name) ?? (group === "behavior" ? entailed[name as VaryingFlag] : undefined);
    if (value === undefined) return field.strict;
    stated.add(path);
    return typeof value === "object" ? field.strict : value;
  });
  return { metadata, stated };
}

export function statedValue(groups: StatedGroups, group: FieldGroup, name: string): unknown {
  const values = groups[group];
  return values !== undefined && Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
}
