import { appendToPointer } from "@hasp/base/json";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { walkSchema } from "../vocabulary/walk-schema.js";
import { createRun, type CheckFinding, type CompiledNode } from "./checks/check.js";
import { createReshape, type Reshape } from "./reshape.js";
import { allParts, compile, isBoundExceeded, toError, type ValidationError } from "./validator.js";

interface DefaultFault {
  /** JSON Pointer to the schema that has the default. */
  readonly pointer: string;
  /** The reason why the schema refuses its default; `undefined` if the default fills itself without end. */
  readonly error: ValidationError | undefined;
}

/**
 * Finds the defaults that their own schema refuses. With `fills`, each is judged as a call gets it: with the defaults of
 * what it leaves out, to the end. Throws a `TypeError` like `createValidator`.
 */
export function findDefaultFaults(root: JsonSchema, { fills }: { readonly fills: boolean }): readonly DefaultFault[] {
  const places: { readonly schema: SchemaObject; readonly pointer: string }[] = [];
  walkSchema(root, ({ schema, pointer }) => {
    if (typeof schema === "object") places.push({ schema, pointer });
  });
  const presets = places.filter(({ schema }) => schema.default !== undefined);
  if (presets.length === 0) return [];
  const compiler = compile(root, true, false, allParts);
  const toNode = ({ schema, pointer }: (typeof places)[number]) => ({
    schema,
    pointer,
    node: compiler.nodeOf(schema, pointer),
  });
  // Without coercion: a default that fits only once it is coerced would change.
  const reshape = createReshape(false, fills);
  // Only a default with members can be filled.
  const mayFill = fills && presets.some(({ schema }) => typeof schema.default === "object");
  const endless = (mayFill ? places.map(toNode) : []).flatMap(({ node, pointer }) =>
    listEndlessFills(node, reshape).map((name) => appendToPointer(`${pointer}/properties`, name)),
  );
  const refused = presets.map(toNode).flatMap(({ schema, pointer, node }): readonly DefaultFault[] => {
    if (endless.includes(pointer)) return [];
    const filled = fillToTheEnd(reshape, node, schema.default);
    // If another default in it has no end, that one is the fault.
    if (filled === undefined) return endless.length > 0 ? [] : [{ pointer, error: undefined }];
    const findings: CheckFinding[] = [];
    node.check(filled.value, createRun(1, findings));
    return findings.map((finding) => ({ pointer, error: toError(finding) }));
  });
  return [...endless.map((pointer) => ({ pointer, error: undefined })), ...refused];
}

/** Lists the properties whose defaults are filled again inside of what an empty object is filled with, without end. */
function listEndlessFills(node: CompiledNode, reshape: Reshape): readonly string[] {
  const { fills } = node;
  if (fills.length === 0) return [];
  const times = new Map<() => unknown, number>();
  const count = (fill: () => unknown): unknown => times.set(fill, (times.get(fill) ?? 0) + 1);
  if (fillToTheEnd(reshape, node, {}, count) !== undefined) return [];
  const again = fills.filter(([, fill]) => (times.get(fill) ?? 0) > 1 && typeof fill() === "object");
  return again.map(([name]) => name);
}

/** Fills a value with all defaults; `undefined` if there is no end to it. */
function fillToTheEnd(
  reshape: Reshape,
  node: CompiledNode,
  value: unknown,
  onFill?: (fill: () => unknown) => unknown,
): { readonly value: unknown } | undefined {
  try {
    return { value: reshape(node, value, { ...createRun(1), ...(onFill && { onFill }) }) };
  } catch (error) {
    if (isBoundExceeded(error)) return undefined;
    throw error;
  }
}
