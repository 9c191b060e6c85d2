import type { Codec } from "../../codec/codec.js";
import type { JsonValue } from "../../json/json.js";
import { applyTable, loseKeyword, type Draft } from "./draft.js";
import { actionFor, type Lowering } from "../lowering.js";
import { typeOfValue } from "./vocabulary.js";
import { wordsForValues } from "./words.js";

/** What lowering the listed values gave: a change of them; with one, nothing else of the node counts. */
export interface ListedValues {
  readonly codec: Codec | undefined;
}

/** Lowers `const` and `enum`. `undefined`: no listed value is left. */
export function lowerValues(lowering: Lowering, draft: Draft): ListedValues | undefined {
  const { source } = draft;
  const keyword = source.const === undefined ? "enum" : "const";
  const values = source.const === undefined ? source.enum : [source.const];
  if (values === undefined) return { codec: undefined };
  if (values.length === 0) return undefined;
  const action = actionFor(lowering, keyword, draft.isRoot);
  if (action === "words" || action === "drop" || action === "refuse") {
    applyTable(lowering, draft, keyword, values);
    return { codec: undefined };
  }
  switch (lowering.dialect.shapes.enums) {
    case "any":
      list(lowering, draft, values);
      return { codec: undefined };
    case "scalars":
      return values.every((value) => isScalar(value))
        ? listed(lowering, draft, values)
        : asTexts(lowering, draft, values);
    case "strings":
      if (!values.every((value) => typeof value === "string")) return asTexts(lowering, draft, values);
      if (values.every((value) => value !== "")) return listed(lowering, draft, values);
      loseKeyword(lowering, draft, keyword, wordsForValues(values)); // "" is refused in such an enum
      return { codec: undefined };
  }
}

/** Whether a value is neither a list nor an object. */
export function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function listed(lowering: Lowering, draft: Draft, values: readonly JsonValue[]): ListedValues {
  list(lowering, draft, values);
  return { codec: undefined };
}

/** `const` where the author wrote it and the dialect has it, else `enum`. */
function list(lowering: Lowering, draft: Draft, values: readonly JsonValue[]): void {
  if (draft.source.const !== undefined && actionFor(lowering, "const", draft.isRoot) === "keep") {
    draft.kept.set("const", draft.source.const);
  } else {
    draft.kept.set("enum", values);
  }
}

/** Values that an enum of this dialect cannot list are listed by their JSON texts, and come back as what they were. */
function asTexts(lowering: Lowering, draft: Draft, values: readonly JsonValue[]): ListedValues {
  if (lowering.dialect.shapes.nodes === "free") {
    loseKeyword(lowering, draft, draft.source.const === undefined ? "enum" : "const", wordsForValues(values));
    return { codec: undefined };
  }
  draft.kept.set("type", "string");
  draft.kept.set(
    "enum",
    values.map((value) => JSON.stringify(value)),
  );
  return { codec: { kind: "text" } };
}

/** The values of a list that a type lets through. */
export function valuesOfType(values: readonly JsonValue[], type: string): readonly JsonValue[] {
  return values.filter((value) => {
    const actual = typeOfValue(value);
    return actual === type || (type === "number" && actual === "integer");
  });
}
