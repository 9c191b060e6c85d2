import { groupBy } from "../../../model/group-by.js";
import { code, type Code, joinCode, literal } from "../../../typescript/code.js";
import { header } from "./header.js";
import type { FileDraft, ModuleDraft } from "./emitter.js";
import { importPath, type Layout } from "./layout.js";

/** Items whose names begin alike. */
interface Group<Item> {
  /** The common start of the names; a name that is no longer than that is alone in its group. */
  readonly prefix: string;
  readonly items: readonly Item[];
}

/** Most characters of the lines that one module lists, before they are formatted. */
const LARGEST_GROUP = 110_000;

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

/**
 * Divides the items of a module into groups: one module for all, or one for each group and one that exports what these
 * do. `print` prints the module of some items.
 */
export function groupedDrafts<Item extends { readonly name: string }>(
  path: string,
  items: readonly Item[],
  { part }: Pick<Layout, "part">,
  { sizeOf, print, exported }: ModuleOfItems<Item>,
): readonly FileDraft[] {
  const groups = groupsOf(items, sizeOf);
  if (groups.length === 1) return [{ path, owner: "hasp", ...print(items, path) }];
  const parts = groups.map((group) => ({ path: part(path, group.prefix), group }));
  const reexports = parts.map((each) => code`${exported} * from ${literal(importPath(path, each.path))};`);
  return [
    { path, owner: "hasp", code: joinCode([header("the specs"), joinCode(reexports, "\n")], "\n\n") },
    ...parts.map(({ path: to, group }): FileDraft => ({ path: to, owner: "hasp", ...print(group.items, to) })),
  ];
}

/** A module that lists items. */
interface ModuleOfItems<Item> {
  readonly sizeOf: (item: Item) => number;
  readonly print: (items: readonly Item[], path: string) => ModuleDraft;
  /** The keyword that exports its items again. */
  readonly exported: Code;
}
