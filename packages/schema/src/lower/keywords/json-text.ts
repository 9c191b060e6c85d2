import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { createNodeBuilder, finish, applyAnnotations } from "../context/node-builder.js";
import { reportLoss, type LoweredNode, type LoweringContext } from "../context/context.js";
import { quoteJson } from "../context/sentences.js";

export function lowerAnything(context: LoweringContext, node: SchemaObject): LoweredNode {
  if (context.dialect.shapes.anything === "text") {
    return textNode(context, node, "Any JSON value, written as JSON text.");
  }
  const builder = createNodeBuilder(node, false);
  applyAnnotations(context, builder);
  return { schema: finish(context, builder), codec: undefined };
}

/** Lowers a node that the dialect cannot express to JSON text. The runtime parses and validates it. */
export function lowerToText(context: LoweringContext, node: SchemaObject): LoweredNode {
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = node;
  const schemaText = quoteJson(rest);
  const words =
    schemaText === undefined
      ? "Written as JSON text."
      : `JSON text of a value that this JSON Schema accepts: ${schemaText}.`;
  reportLoss(context, node, "type", words);
  return textNode(context, node, words);
}

function textNode(context: LoweringContext, node: SchemaObject, words: string): LoweredNode {
  const builder = createNodeBuilder(node, false);
  applyAnnotations(context, builder);
  builder.kept.set("type", "string");
  builder.sentences.push(words);
  return { schema: finish(context, builder), codec: { kind: "text" } };
}
