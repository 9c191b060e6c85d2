import { createEncoder } from "../../codec/encode.js";
import type { Codec } from "../../codec/codec.js";
import type { JsonValue } from "../../json/json.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { lowerAnything } from "./json-text.js";
import { lowerKeywords } from "./node-keywords.js";
import { withOrigin, refuse, type Lowered, type LoweringContext } from "../context/context.js";
import { lowerReference } from "./references.js";
import { lowerTyped } from "./typed.js";
import { countUnchanged } from "./unchanged.js";
import { isUnconstrained } from "../context/schema-facts.js";

/** Limits the nesting of a schema, since lowering is recursive. */
const DEEPEST = 400;

/** Limits the nodes of a lowered schema, since expanding unions and references may multiply them. */
const MOST_NODES = 10_000;

/**
 * Lowers a node below the root. Returns `undefined` if no value is valid or the tool has been refused. `owner` is the
 * object that holds a boolean schema.
 */
export function lowerNode(context: LoweringContext, schema: JsonSchema, owner: object): Lowered | undefined {
  if (schema === false) return undefined;
  const node: SchemaObject = schema === true ? withOrigin(context, {}, owner) : schema;
  const unchanged = countUnchanged(context, node);
  if (unchanged > 0 && context.nodes + unchanged <= MOST_NODES && context.depth + unchanged <= DEEPEST) {
    context.nodes += unchanged;
    return { schema: node, codec: undefined };
  }
  if (context.depth >= DEEPEST) {
    refuse(context, node, "too-deep", { most: DEEPEST });
    return undefined;
  }
  context.nodes += 1;
  if (context.nodes > MOST_NODES) {
    if (context.nodes === MOST_NODES + 1) {
      refuse(context, node, "too-large", { most: MOST_NODES });
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

/** Encodes defaults and examples, which must have the same shape as values on the wire. */
export function withShapedAnnotations(context: LoweringContext, lowered: Lowered): Lowered {
  const { schema, codec } = lowered;
  if (codec === undefined || (schema.default === undefined && schema.examples === undefined)) return lowered;
  const isShapable = !mentionsDefinitions(codec);
  const encode = createEncoder(codec);
  const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (keyword !== "default" && keyword !== "examples") return [[keyword, value]];
    if (!isShapable) return [];
    if (keyword === "default") return [[keyword, encode(value as JsonValue)]];
    return [[keyword, (value as readonly JsonValue[]).map((example) => encode(example))]];
  });
  return { schema: withOrigin(context, Object.fromEntries(entries), schema), codec };
}

function mentionsDefinitions(codec: Codec): boolean {
  return JSON.stringify(codec).includes('"kind":"reference"');
}
