import type { SchemaNode } from "../model/schema-nodes.js";

/** A parameter at any depth of a tool's input. */
export interface Parameter extends SchemaNode {
  readonly property: string;
  /** Empty if there is none. */
  readonly description: string;
  /** Empty if it states none. */
  readonly types: ReadonlySet<string>;
  readonly isRequired: boolean;
}

/** Reads a schema as a parameter; `undefined` if it is not a property. */
export function readParameter(node: SchemaNode): Parameter | undefined {
  const { property, schema, parent } = node;
  if (property === undefined) return undefined;
  const types = new Set(schema.type === undefined ? [] : [schema.type].flat());
  const isRequired = parent?.schema.required?.includes(property) === true;
  return { ...node, property, description: schema.description ?? "", types, isRequired };
}

export function isEnumerated({ schema }: Pick<Parameter, "schema">): boolean {
  return schema.enum !== undefined || Object.hasOwn(schema, "const");
}
