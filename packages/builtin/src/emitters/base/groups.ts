import { groupBy, sumBy } from "@hasp/base/json";
import { code, type Code, literal } from "@hasp/compiler/code";
import { printModule } from "./module-text.js";
import type { FileDraft, ModuleDraft } from "./emitter.js";
import type { Layout } from "@hasp/compiler/layout";

interface Group<Item> {
  /** The names' common prefix. A name equal to it has a group of its own. */
  readonly prefix: string;
  readonly items: readonly Item[];
}

/** Maximum characters of unformatted lines per module. */
const LARGEST_GROUP = 110_000;

/** Groups items by their first characters. Each group fits a module, and a change affects only its own group. */
export function divideIntoGroups<Item extends { readonly name: string }>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  prefix = "",
): readonly Group<Item>[] {
  const size = sumBy(items, sizeOf);
  const isWhole = items.every(({ name }) => name === prefix);
  if (size <= LARGEST_GROUP || isWhole) return [{ prefix, items }];
  const inner = groupBy(items, ({ name }) => name.slice(0, prefix.length + 1));
  return [...inner].flatMap(([longer, members]) =>
    longer === prefix ? [{ prefix, items: members }] : divideIntoGroups(members, sizeOf, longer),
  );
}

/** Makes one module for all items, or one for each group and one that re-exports them. */
export function draftGroups<Item extends { readonly name: string }>(
  path: string,
  items: readonly Item[],
  layout: Pick<Layout, "part" | "importPath">,
  { sizeOf, print, exported, apart = false }: ModuleOfItems<Item>,
): readonly FileDraft[] {
  const groups = apart
    ? items.map((item): Group<Item> => ({ prefix: item.name, items: [item] }))
    : divideIntoGroups(items, sizeOf);
  if (!apart && groups.length === 1) return [{ path, owner: "hasp", ...print(items, path) }];
  const parts = groups.map((group) => ({ path: layout.part(path, group.prefix), group }));
  const reexports = parts.map((each) => code`${exported} * from ${literal(layout.importPath(path, each.path))};`);
  return [
    { path, owner: "hasp", code: printModule("the specs", reexports) },
    ...parts.map(({ path: to, group }): FileDraft => ({ path: to, owner: "hasp", ...print(group.items, to) })),
  ];
}

interface ModuleOfItems<Item> {
  readonly sizeOf: (item: Item) => number;
  readonly print: (items: readonly Item[], path: string) => ModuleDraft;
  /** True to give each item its own module. */
  readonly apart?: boolean;
  /** The keyword of the re-export: `export` or `export type`. */
  readonly exported: Code;
}
