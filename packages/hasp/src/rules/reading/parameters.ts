import { keywordRow } from "@hasp/schema/vocabulary";
import type { SchemaNode } from "../../model/schema-nodes.js";
import type { FlatTool } from "../../model/tool.js";

/** One parameter of a tool, at any depth of its input. */
export interface Parameter extends SchemaNode {
  readonly property: string;
  /** Its description; empty where it has none. */
  readonly description: string;
  /** The types that it states; empty where it states none. */
  readonly types: ReadonlySet<string>;
  /** Whether the object around it requires it. */
  readonly isRequired: boolean;
  /** Whether only some inputs reach it: it is in a branch of a union, in a condition or in a negation. */
  readonly isConditional: boolean;
}

/** The parameters of a tool's input, outer ones first. */
export function parametersOf(tool: FlatTool): readonly Parameter[] {
  return tool.facts.live("parameters", () => {
    const byPointer = new Map(tool.input.nodes.map((node) => [node.pointer, node]));
    const conditional = conditionalNodes(tool.input.nodes);
    return tool.input.nodes.flatMap((node) => {
      const { property, schema, pointer } = node;
      if (property === undefined) return [];
      const types = new Set(schema.type === undefined ? [] : [schema.type].flat());
      const holder = byPointer.get(pointer.split("/").slice(0, -2).join("/"))?.schema;
      return [
        {
          ...node,
          property,
          description: schema.description ?? "",
          types,
          isRequired: holder?.required?.includes(property) === true,
          isConditional: conditional.has(pointer),
        },
      ];
    });
  });
}

/** Whether the values of a parameter are written out. */
export function isEnumerated({ schema }: Pick<Parameter, "schema">): boolean {
  return schema.enum !== undefined || Object.hasOwn(schema, "const");
}

/** Whether the schemas of a keyword hold for some values only: branches, conditions and negations. */
function holdsForSome(keyword: string): boolean {
  const row = keywordRow(keyword);
  return row?.applies === "inPlace" ? keyword !== "allOf" : row?.applies === "test" && row.types === undefined;
}

/** Pointers of the nodes that only some inputs reach. A schema comes before those inside it. */
export function conditionalNodes(nodes: readonly SchemaNode[]): ReadonlySet<string> {
  const isConditional = new Map<string, boolean>();
  for (const { pointer } of nodes) {
    const outer = nearestAround(pointer, isConditional);
    const [, keyword = ""] = pointer.slice(outer?.pointer.length ?? 0).split("/");
    isConditional.set(pointer, outer?.value === true || holdsForSome(keyword));
  }
  return new Set([...isConditional].flatMap(([pointer, is]) => (is ? [pointer] : [])));
}

/** What is known of the nearest schema around a pointer. */
export function nearestAround<Known>(
  pointer: string,
  known: ReadonlyMap<string, Known>,
): { readonly pointer: string; readonly value: Known } | undefined {
  for (let outer = pointer; outer !== "";) {
    outer = outer.slice(0, outer.lastIndexOf("/"));
    const value = known.get(outer);
    if (value !== undefined) return { pointer: outer, value };
  }
  return undefined;
}
