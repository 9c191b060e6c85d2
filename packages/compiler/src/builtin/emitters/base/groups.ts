import { groupBy } from "../../../model/group-by.js";

/** Items whose names begin alike. */
export interface Group<Item> {
  /** The common start of the names; a name that is no longer than that is alone in its group. */
  readonly prefix: string;
  readonly items: readonly Item[];
}

/** Most characters of the lines that one module lists, before they are formatted. */
const LARGEST_GROUP = 100_000;

/**
 * Divides what one file would list into groups that are small enough, by as few first characters as that takes; one
 * group where all fits. An item that comes or goes changes its own group, and no other unless that one grows too large.
 * The items come by name, and so do the groups.
 */
export function groupsOf<Item extends { readonly name: string }>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  prefix = "",
): readonly Group<Item>[] {
  const size = items.reduce((sum, item) => sum + sizeOf(item), 0);
  const isWhole = items.every(({ name }) => name === prefix);
  if (size <= LARGEST_GROUP || isWhole) return [{ prefix, items }];
  const inner = groupBy(items, ({ name }) => name.slice(0, prefix.length + 1));
  return [...inner].flatMap(([longer, members]) =>
    longer === prefix ? [{ prefix, items: members }] : groupsOf(members, sizeOf, longer),
  );
}

/** The name of a group's file, the same on a system that does not tell capital letters apart. */
export function groupFile(prefix: string): string {
  return prefix.replaceAll(/[^a-z0-9_-]/gu, (letter) => `~${letter.codePointAt(0)?.toString(16) ?? ""}`);
}

/** The end of a name in code that belongs to a group. */
export function groupSuffix(prefix: string): string {
  return `_${prefix.replaceAll(/[^A-Za-z0-9_]/gu, "$")}`;
}
