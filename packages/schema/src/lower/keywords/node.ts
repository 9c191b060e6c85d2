import { encode } from "../../codec/encode.js";
import type { Codec } from "../../codec/codec.js";
import type { JsonValue } from "../../json/json.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { lowerAnything } from "./json-text.js";
import { lowerKeywords } from "./node-keywords.js";
import { withOrigin, refuse, type Lowered, type LoweringContext } from "../context/context.js";
import { lowerReference } from "./references.js";
import { lowerTyped } from "./typed.js";
import { isUnconstrained } from "../context/schema-facts.js";

/** Schemas nested deeper than this are refused: the lowering follows them by recursion. */
const DEEPEST = 400;

/** Spreading unions and references may multiply nodes; beyond this many no provider takes a schema anyway. */
const MOST_NODES = 10_000;

/**
 * Lowers one node below the root. `undefined` says that no value can stand there, or that the tool has been refused.
 * `owner` is the object in which a boolean schema stands.
 */
export function lowerNode(context: LoweringContext, schema: JsonSchema, owner: object): Lowered | undefined {
  if (schema === false) return undefined;
  const node: SchemaObject = schema === true ? withOrigin(context, {}, owner) : schema;
  if (context.depth >= DEEPEST) {
    refuse(context, node, "lower/too-deep", `The schema is nested more than ${DEEPEST} levels deep. Make it flatter.`);
    return undefined;
  }
  context.nodes += 1;
  if (context.nodes > MOST_NODES) {
    if (context.nodes === MOST_NODES + 1) {
      refuse(
        context,
        node,
        "lower/too-large",
        `The lowered schema would have more than ${MOST_NODES} nodes. Split the tool, or simplify its unions and references.`,
      );
    }
    return undefined;
  }
  context.depth += 1;
  const lowered = lowerObjectSchema(context, node);
  context.depth -= 1;
  return lowered === undefined ? undefined : withShapedAnnotations(context, lowered);
}

function lowerObjectSchema(context: LoweringContext, node: SchemaObject): Lowered | undefined {
  if (node.$ref !== undefined) return lowerReference(context, node);
  if (isUnconstrained(node)) return lowerAnything(context, node);
  return context.dialect.shapes.nodes === "typed" ? lowerTyped(context, node) : lowerKeywords(context, node, false);
}

/** Defaults and examples must have the shape that values have on the wire. */
export function withShapedAnnotations(context: LoweringContext, lowered: Lowered): Lowered {
  const { schema, codec } = lowered;
  if (codec === undefined || (schema.default === undefined && schema.examples === undefined)) return lowered;
  const isShapable = !mentionsDefinitions(codec);
  const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (keyword !== "default" && keyword !== "examples") return [[keyword, value]];
    if (!isShapable) return [];
    if (keyword === "default") return [[keyword, encode(codec, value as JsonValue)]];
    return [[keyword, (value as readonly JsonValue[]).map((example) => encode(codec, example))]];
  });
  return { schema: withOrigin(context, Object.fromEntries(entries), schema), codec };
}

function mentionsDefinitions(codec: Codec): boolean {
  return JSON.stringify(codec).includes('"kind":"reference"');
}
