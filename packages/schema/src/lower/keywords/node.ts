import { encode } from "../../codec/encode.js";
import type { Codec } from "../../codec/codec.js";
import type { JsonValue } from "../../json/json.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { lowerAnything } from "./anything.js";
import { lowerKeywords } from "./keywords.js";
import { made, refuse, type Lowered, type Lowering } from "../lowering.js";
import { lowerReference } from "./references.js";
import { lowerTyped } from "./typed.js";
import { isUnconstrained } from "./vocabulary.js";

/** Schemas nested deeper than this are refused: the lowering follows them by recursion. */
const DEEPEST = 400;

/** Spreading unions and references may multiply nodes; beyond this many no provider takes a schema anyway. */
const MOST_NODES = 10_000;

/**
 * Lowers one node below the root. `undefined` says that no value can stand there, or that the tool has been refused.
 * `owner` is the object in which a boolean schema stands.
 */
export function lowerNode(lowering: Lowering, schema: JsonSchema, owner: object): Lowered | undefined {
  if (schema === false) return undefined;
  const node: SchemaObject = schema === true ? made(lowering, {}, owner) : schema;
  if (lowering.depth >= DEEPEST) {
    refuse(lowering, node, "lower/too-deep", `The schema is nested more than ${DEEPEST} levels deep. Make it flatter.`);
    return undefined;
  }
  const form = lowering.sharedForms?.of(node, lowering.dialect);
  if (form !== undefined && lowering.nodes + form.nodes <= MOST_NODES && lowering.depth + form.nodes <= DEEPEST) {
    lowering.nodes += form.nodes;
    return { schema: form.schema, codec: undefined };
  }
  lowering.nodes += 1;
  if (lowering.nodes > MOST_NODES) {
    if (lowering.nodes === MOST_NODES + 1) {
      refuse(
        lowering,
        node,
        "lower/too-large",
        `The lowered schema would have more than ${MOST_NODES} nodes. Split the tool, or simplify its unions and references.`,
      );
    }
    return undefined;
  }
  lowering.depth += 1;
  const lowered = lowerObjectSchema(lowering, node);
  lowering.depth -= 1;
  return lowered === undefined ? undefined : withShapedAnnotations(lowering, lowered);
}

function lowerObjectSchema(lowering: Lowering, node: SchemaObject): Lowered | undefined {
  if (node.$ref !== undefined) return lowerReference(lowering, node);
  if (isUnconstrained(node)) return lowerAnything(lowering, node);
  return lowering.dialect.shapes.nodes === "typed" ? lowerTyped(lowering, node) : lowerKeywords(lowering, node, false);
}

/** Defaults and examples must have the shape that values have on the wire. */
export function withShapedAnnotations(lowering: Lowering, lowered: Lowered): Lowered {
  const { schema, codec } = lowered;
  if (codec === undefined || (schema.default === undefined && schema.examples === undefined)) return lowered;
  const isShapable = !mentionsDefinitions(codec);
  const entries = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (keyword !== "default" && keyword !== "examples") return [[keyword, value]];
    if (!isShapable) return [];
    if (keyword === "default") return [[keyword, encode(codec, value as JsonValue)]];
    return [[keyword, (value as readonly JsonValue[]).map((example) => encode(codec, example))]];
  });
  return { schema: made(lowering, Object.fromEntries(entries), schema), codec };
}

function mentionsDefinitions(codec: Codec): boolean {
  return JSON.stringify(codec).includes('"kind":"reference"');
}
