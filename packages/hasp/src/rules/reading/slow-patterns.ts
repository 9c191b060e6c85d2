import { canBeRun } from "../../cel/index.js";
import { escapeToken } from "../../model/json-pointer.js";
import type { FlatSchema } from "../../model/tool.js";

/** A pattern that the runtime cannot match in linear time, with its JSON Pointer in the flat schema. */
export interface SlowPattern {
  readonly pattern: string;
  readonly pointer: string;
}

/** Finds the patterns of a schema that are not matched in linear time; an invalid one is a finding of its own. */
export function slowPatterns(flat: Pick<FlatSchema, "nodes">): readonly SlowPattern[] {
  return [...patternsOf(flat)].filter(({ pattern }) => isValid(pattern) && !canBeRun(pattern));
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function* patternsOf({ nodes }: Pick<FlatSchema, "nodes">): Generator<SlowPattern> {
  for (const { schema, pointer } of nodes) {
    if (schema.pattern !== undefined) yield { pattern: schema.pattern, pointer: `${pointer}/pattern` };
    for (const pattern of Object.keys(schema.patternProperties ?? {})) {
      yield { pattern, pointer: `${pointer}/patternProperties/${escapeToken(pattern)}` };
    }
  }
}
