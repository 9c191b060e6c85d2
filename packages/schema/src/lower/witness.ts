import type { JsonValue } from "../json.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../json-schema.js";
import { createValidator } from "../validate/index.js";
import { equalJson } from "../inspect/json-value.js";
import { asJsonSchema } from "./json-schema-form.js";
import { sampleAround } from "./sample.js";
import type { Loss, LowerResult } from "./types.js";
import { violationsOf } from "./violations.js";

/**
 * Gives a search for values on which source and lowered schema differ. What it finds is checked: the source refuses the
 * value, the lowered schema accepts what it is sent as, and that comes back as the value.
 */
export function findWitness(root: SchemaObject, result: LowerResult): (loss: Loss, budget: number) => JsonValue | undefined {
  const definitions = definitionsOf(root);
  let validators: readonly [Check, Check] | undefined | "none";
  return (loss, budget) => {
    if (loss.direction === "narrowed" || result.schema === undefined) return undefined;
    const steps = stepsOf(loss.pointer);
    const node = nodeAt(root, steps);
    if (node === undefined) return undefined;
    validators ??= makeValidators(root, result.schema) ?? "none";
    if (validators === "none") return undefined;
    const [isSource, isWire] = validators;
    for (const violation of violationsOf(loss.keyword, node, definitions).slice(0, budget)) {
      const value = sampleAround(root, steps, violation, definitions);
      if (value !== undefined && !isSource(value) && travels(result, value, isWire)) return value;
    }
    return undefined;
  };
}

type Check = (value: JsonValue) => boolean;

function makeValidators(root: JsonSchema, lowered: JsonSchema): readonly [Check, Check] | undefined {
  try {
    const source = createValidator(root, { maxErrors: 1 });
    const wire = createValidator(asJsonSchema(lowered), { maxErrors: 1 });
    return [(value) => source(value).valid, (value) => wire(value).valid];
  } catch (error) {
    if (error instanceof TypeError) return undefined; // the validator refuses such schemas; then nothing can be checked
    throw error;
  }
}

function travels(result: LowerResult, value: JsonValue, isWire: Check): boolean {
  const sent = result.encode(value);
  return isWire(sent) && equalJson(result.decode(sent), value);
}

function definitionsOf(root: SchemaObject): SchemaMap {
  return root.$defs ?? {};
}

function stepsOf(pointer: string): readonly string[] {
  return pointer === "" ? [] : pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function nodeAt(root: SchemaObject, steps: readonly string[]): SchemaObject | undefined {
  let current: unknown = root;
  for (const step of steps) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as { readonly [key: string]: unknown })[step];
  }
  return typeof current === "object" && current !== null ? (current as SchemaObject) : undefined;
}
