import { canBeRun } from "../../cel/index.js";
import { escapeToken } from "../../model/json-pointer.js";
import type { SchemaNode } from "../../model/schema-nodes.js";

/** A pattern that the runtime cannot match in linear time, with its JSON Pointer in the flat schema. */
export interface SlowPattern {
  readonly pattern: string;
  readonly pointer: string;
}

/** Finds the patterns of a schema that are not matched in linear time; an invalid one is a finding of its own. */
export function slowPatternsAt(node: SchemaNode): readonly SlowPattern[] {
  return [...patternsOf(node)].filter(({ pattern }) => isValid(pattern) && !canBeRun(pattern));
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function* patternsOf({ schema, pointer }: SchemaNode): Generator<SlowPattern> {
  if (schema.pattern !== undefined) yield { pattern: schema.pattern, pointer: `${pointer}/pattern` };
  for (const pattern of Object.keys(schema.patternProperties ?? {})) {
    yield { pattern, pointer: `${pointer}/patternProperties/${escapeToken(pattern)}` };
  }
}
