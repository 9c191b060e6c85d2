import { groupBy } from "../../model/group-by.js";
import { typeName } from "../../typescript/names.js";
import type { DefinitionNode, DefinitionUse, ToolDefinitions } from "./shared-definitions.js";
import { unescapeToken } from "../../model/json-pointer.js";

/** What a definition in a shared file is called in TypeScript. */
export interface SharedTypeName {
  /** As a handler sees it, defaults filled in. */
  readonly filled: string;
  /** As a caller sends it; the same name where that makes no difference. */
  readonly plain: string;
  /** The first tool, by name, that uses it: its part declares the type. */
  readonly declaredBy: string;
}

/** The names of all definitions that have a type of their own, by `uri#pointer`. */
export type SharedTypeNames = ReadonlyMap<string, SharedTypeName>;

/** What one tool must know of the name of a shared type. Who else declares it is nothing to it. */
export interface UsedTypeName extends Pick<SharedTypeName, "filled" | "plain"> {
  /** Whether this tool's part declares the type. */
  readonly isDeclaredHere: boolean;
}

/** The shared types as one tool uses them. */
export interface ToolSharedTypes {
  /** Every name that the tool's module may import. */
  readonly names: readonly string[];
  /** The definitions whose types this tool's part declares. */
  readonly declares: readonly DefinitionNode[];
  readonly namesByDefinition: ReadonlyMap<string, UsedTypeName>;
  /** The name of the shared type of a node of the tool's schemas, if it has one. */
  nameOf(node: object, isFilled: boolean): string | undefined;
}

/**
 * Names the definitions that tools share, each under its author's name; where two files use one name, the file's name
 * sets them apart. A definition that comes out differently in two places has no one type, and so no name. The tools
 * come by name; `isTaken` tells of the names that their own types have.
 */
export function nameSharedTypes(
  definitionsByTool: ReadonlyMap<string, Pick<ToolDefinitions, "uses">>,
  isTaken: (name: string) => boolean,
): SharedTypeNames {
  const byDefinition = agreedUses(definitionsByTool);
  const definitions = [...byDefinition]
    .map(([definition]) => placeOf(definition))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1));
  const byName = groupBy(definitions, ({ authored }) => typeName(authored));
  const used = new Set<string>();
  const isUsed = (name: string): boolean => used.has(name) || isTaken(name);
  const names = new Map<string, SharedTypeName>();
  for (const { key, uri, authored } of definitions) {
    const first = byDefinition.get(key);
    if (first === undefined || !first.isAgreed || !first.isWorthAName) continue;
    const isFree = (name: string): boolean => !isUsed(name) && !isUsed(`${name}Arguments`);
    let filled = typeName(authored);
    if ((byName.get(filled)?.length ?? 0) > 1 || !isFree(filled)) {
      filled = `${typeName(uri.slice(uri.lastIndexOf("/") + 1).replace(/\.[^.]*$/u, ""))}${filled}`;
    }
    for (let folder = uri.split("/").slice(0, -1); !isFree(filled); folder = folder.slice(0, -1)) {
      filled = `${typeName(folder.at(-1) ?? "Shared")}${filled}`;
    }
    used.add(filled);
    used.add(`${filled}Arguments`);
    names.set(key, { filled, plain: first.isAlike ? filled : `${filled}Arguments`, declaredBy: first.tool });
  }
  return names;
}

/** How a definition is used by the first tool, by name, that does, and whether all others use it alike. */
interface AgreedUse extends DefinitionUse {
  readonly tool: string;
  isAgreed: boolean;
}

function agreedUses(
  definitionsByTool: ReadonlyMap<string, Pick<ToolDefinitions, "uses">>,
): ReadonlyMap<string, AgreedUse> {
  const byDefinition = new Map<string, AgreedUse>();
  for (const [tool, { uses }] of definitionsByTool) {
    for (const use of uses) {
      const first = byDefinition.get(use.definition);
      if (first === undefined) byDefinition.set(use.definition, { ...use, tool, isAgreed: true });
      else if (first.digest !== use.digest) first.isAgreed = false;
    }
  }
  return byDefinition;
}

/** What of the shared types concerns one tool. */
export function sharedTypesOf(tool: string, found: ToolDefinitions, all: SharedTypeNames): ToolSharedTypes {
  const namesByDefinition = new Map(
    found.definitions.flatMap((definition): readonly (readonly [string, UsedTypeName])[] => {
      const name = all.get(definition);
      if (name === undefined) return [];
      const { filled, plain, declaredBy } = name;
      return [[definition, { filled, plain, isDeclaredHere: declaredBy === tool }]];
    }),
  );
  return {
    names: [...namesByDefinition.values()].flatMap(({ filled, plain }) => [filled, plain]),
    get declares() {
      const nodes = [...found.nodes.values()];
      const declared = [...namesByDefinition].filter(([, { isDeclaredHere }]) => isDeclaredHere);
      return declared.flatMap(([definition]) => nodes.find((node) => node.definition === definition) ?? []);
    },
    namesByDefinition,
    nameOf: (node, isFilled) => {
      const name = namesByDefinition.get(found.nodes.get(node)?.definition ?? "");
      return isFilled ? name?.filled : name?.plain;
    },
  };
}

function placeOf(key: string): { readonly key: string; readonly uri: string; readonly authored: string } {
  const at = key.indexOf("#");
  const pointer = key.slice(at + 1);
  const authored = unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
  return { key, uri: key.slice(0, at), authored };
}
