import {
  entailedBy,
  createMetadata,
  type FieldGroup,
  type FieldPath,
  type ToolMetadata,
  type VaryingFlag,
  joinWords,
} from "./fields.js";

/** The statements of a spec or a definition: values by group and name, and conditions for flags that vary. */
type StatedGroups = { readonly [Group in FieldGroup]?: object | undefined };

/** A tool's own values, and the fields that are not defaults. */
interface ResolvedMetadata {
  readonly metadata: ToolMetadata;
  readonly stated: ReadonlySet<FieldPath>;
}

/** Resolves every field: the stated value, else what the class entails, else the default. Varying flags are strict. */
export function resolveMetadata(groups: StatedGroups): ResolvedMetadata {
  const stated = new Set<FieldPath>();
  const entailed = entailedBy(readStated(groups, "concurrency", "class"));
  const metadata = createMetadata(({ group, name, path, field }) => {
    const value = readStated(groups, group, name) ?? (group === "behavior" ? entailed[name as VaryingFlag] : undefined);
    if (value === undefined) return field.strict;
    stated.add(path);
    return typeof value === "object" ? field.strict : value;
  });
  return { metadata, stated };
}

export function readStated(groups: StatedGroups, group: FieldGroup, name: string): unknown {
  const values = groups[group];
  return values !== undefined && Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
}

interface PlacedValue {
  readonly at: readonly (string | number)[];
  readonly name: string;
  readonly value: unknown;
}

/** Two values of one tool that exclude each other. */
export interface Contradiction {
  readonly value: PlacedValue;
  readonly other: PlacedValue;
  /** The reason, as a clause. */
  readonly why: string;
}

/** Finds every contradiction among a tool's own values, and inside each row of its rules. */
export function findContradictions(groups: StatedGroups): readonly Contradiction[] {
  const own = contradictionsIn(groups, (group, name) => [group, name]);
  const rows = readStated(groups, "concurrency", "rules");
  if (!Array.isArray(rows)) return own;
  return [
    ...own,
    ...rows.flatMap((row: object, index) =>
      // A row holds class and flags side by side.
      contradictionsIn({ concurrency: row, behavior: row }, (_, name) => ["concurrency", "rules", index, name]),
    ),
  ];
}

function contradictionsIn(
  groups: StatedGroups,
  pathOf: (group: FieldGroup, name: string) => readonly (string | number)[],
): readonly Contradiction[] {
  const placed = (group: FieldGroup, name: string): PlacedValue => ({
    at: pathOf(group, name),
    name,
    value: readStated(groups, group, name),
  });
  const ownClass = placed("concurrency", "class");
  const entailed = Object.entries(entailedBy(ownClass.value));
  const claims = entailed.map(([name, value]) => `${name}: ${String(value)}`);
  const why = `${String(ownClass.value)} entails ${joinWords(claims, "and")}`;
  const found = entailed.flatMap(([name, expected]): readonly Contradiction[] => {
    const value = placed("behavior", name);
    if (value.value === undefined || value.value === expected) return [];
    return [{ value, other: ownClass, why }];
  });
  const [other, value] = [placed("behavior", "isReadOnly"), placed("behavior", "isDestructive")];
  if (found.length > 0 || other.value !== true || value.value !== true) return found;
  return [{ value, other, why: "a call that changes nothing destroys nothing" }];
}
