import type { JsonValue } from "../../json/json.js";
import { applyTable, dropKeyword, finish, type NodeBuilder, type HandlerResult } from "../context/node-builder.js";
import { actionFor, type LoweringContext } from "../context/context.js";
import { isScalar } from "../context/schema-facts.js";
import { sentenceForValues } from "../context/sentences.js";

export function lowerValues(context: LoweringContext, builder: NodeBuilder): HandlerResult {
  const { source } = builder;
  const keyword = source.const === undefined ? "enum" : "const";
  const values = source.const === undefined ? source.enum : [source.const];
  if (values === undefined) return undefined;
  if (values.length === 0) return "impossible";
  const action = actionFor(context, keyword, builder.isRoot);
  if (action === "words" || action === "drop" || action === "refuse") {
    applyTable(context, builder, keyword, values);
    return undefined;
  }
  switch (context.dialect.shapes.enums) {
    case "any":
      return list(context, builder, values);
    case "scalars":
      return values.every((value) => isScalar(value))
        ? list(context, builder, values)
        : listTexts(context, builder, values);
    case "strings":
      if (!values.every((value) => typeof value === "string")) return listTexts(context, builder, values);
      if (values.every((value) => value !== "")) return list(context, builder, values);
      dropKeyword(context, builder, keyword, sentenceForValues(values)); // "" is refused in such an enum
      return undefined;
  }
}

/** Keeps `const` if the author wrote it and the dialect supports it, and `enum` otherwise. */
function list(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): undefined {
  if (builder.source.const !== undefined && actionFor(context, "const", builder.isRoot) === "keep") {
    builder.kept.set("const", builder.source.const);
  } else {
    builder.kept.set("enum", values);
  }
}

/** Lists values as JSON text if an enum of this dialect cannot hold them. Decoding parses the text. */
function listTexts(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): HandlerResult {
  if (context.dialect.shapes.nodes === "free") {
    dropKeyword(context, builder, builder.source.const === undefined ? "enum" : "const", sentenceForValues(values));
    return undefined;
  }
  builder.kept.set("type", "string");
  builder.kept.set(
    "enum",
    values.map((value) => JSON.stringify(value)),
  );
  return { schema: finish(context, builder), codec: { kind: "text" } };
}
