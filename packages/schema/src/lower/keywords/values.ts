import type { Codec } from "../../codec/codec.js";
import type { JsonValue } from "../../json/json.js";
import { applyTable, dropKeyword, type NodeBuilder } from "../context/node-builder.js";
import { actionFor, type LoweringContext } from "../context/context.js";
import { isScalar } from "../context/schema-facts.js";
import { sentenceForValues } from "../context/sentences.js";

/** What lowering the listed values gave: a change of them; with one, nothing else of the node counts. */
export interface ListedValues {
  readonly codec: Codec | undefined;
}

/** Lowers `const` and `enum`. `undefined`: no listed value is left. */
export function lowerValues(context: LoweringContext, builder: NodeBuilder): ListedValues | undefined {
  const { source } = builder;
  const keyword = source.const === undefined ? "enum" : "const";
  const values = source.const === undefined ? source.enum : [source.const];
  if (values === undefined) return { codec: undefined };
  if (values.length === 0) return undefined;
  const action = actionFor(context, keyword, builder.isRoot);
  if (action === "words" || action === "drop" || action === "refuse") {
    applyTable(context, builder, keyword, values);
    return { codec: undefined };
  }
  switch (context.dialect.shapes.enums) {
    case "any":
      list(context, builder, values);
      return { codec: undefined };
    case "scalars":
      return values.every((value) => isScalar(value))
        ? listed(context, builder, values)
        : asTexts(context, builder, values);
    case "strings":
      if (!values.every((value) => typeof value === "string")) return asTexts(context, builder, values);
      if (values.every((value) => value !== "")) return listed(context, builder, values);
      dropKeyword(context, builder, keyword, sentenceForValues(values)); // "" is refused in such an enum
      return { codec: undefined };
  }
}

function listed(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): ListedValues {
  list(context, builder, values);
  return { codec: undefined };
}

/** `const` where the author wrote it and the dialect has it, else `enum`. */
function list(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): void {
  if (builder.source.const !== undefined && actionFor(context, "const", builder.isRoot) === "keep") {
    builder.kept.set("const", builder.source.const);
  } else {
    builder.kept.set("enum", values);
  }
}

/** Values that an enum of this dialect cannot list are listed by their JSON texts, and come back as what they were. */
function asTexts(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): ListedValues {
  if (context.dialect.shapes.nodes === "free") {
    dropKeyword(context, builder, builder.source.const === undefined ? "enum" : "const", sentenceForValues(values));
    return { codec: undefined };
  }
  builder.kept.set("type", "string");
  builder.kept.set(
    "enum",
    values.map((value) => JSON.stringify(value)),
  );
  return { codec: { kind: "text" } };
}
