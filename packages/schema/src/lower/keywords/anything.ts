import type { SchemaObject } from "../../vocabulary/json-schema.js";
import { createDraft, finish, applyAnnotations } from "./draft.js";
import { lose, type Lowered, type Lowering } from "../lowering.js";
import { quoted } from "./words.js";

/** A node that takes any JSON value. */
export function lowerAnything(lowering: Lowering, node: SchemaObject): Lowered {
  if (lowering.dialect.shapes.anything === "text") {
    return textNode(lowering, node, "Any JSON value, written as JSON text.");
  }
  const draft = createDraft(node, false);
  applyAnnotations(lowering, draft);
  return { schema: finish(lowering, draft), codec: undefined };
}

/** Sends values of a node that the dialect has no form for as JSON text. The runtime reads and validates them. */
export function lowerToText(lowering: Lowering, node: SchemaObject): Lowered {
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = node;
  const schemaText = quoted(rest);
  const words =
    schemaText === undefined
      ? "Written as JSON text."
      : `JSON text of a value that this JSON Schema accepts: ${schemaText}.`;
  lose(lowering, node, "type", words);
  return textNode(lowering, node, words);
}

function textNode(lowering: Lowering, node: SchemaObject, words: string): Lowered {
  const draft = createDraft(node, false);
  applyAnnotations(lowering, draft);
  draft.kept.set("type", "string");
  draft.words.push(words);
  return { schema: finish(lowering, draft), codec: { kind: "text" } };
}
