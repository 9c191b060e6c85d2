import type { SchemaNode } from "../../../model/schema-nodes.js";

/** One parameter of a tool, at any depth of its input. */
export interface Parameter extends SchemaNode {
  readonly property: string;
  /** Its description; empty where it has none. */
  readonly description: string;
  /** The types that it states; empty where it states none. */
  readonly types: ReadonlySet<string>;
  /** True if the object around it requires it. */
  readonly isRequired: boolean;
}

/** Reads a schema as a parameter; `undefined` for one that is no property. */
export function readParameter(node: SchemaNode): Parameter | undefined {
  const { property, schema, parent } = node;
  if (property === undefined) return undefined;
  const types = new Set(schema.type === undefined ? [] : [schema.type].flat());
  const isRequired = parent?.schema.required?.includes(property) === true;
  return { ...node, property, description: schema.description ?? "", types, isRequired };
}

/** True if the values of a parameter are written out. */
export function isEnumerated({ schema }: Pick<Parameter, "schema">): boolean {
  return schema.enum !== undefined || Object.hasOwn(schema, "const");
}
