import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "@hasp/base/json";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { chance, flatSchema, likelyValue } from "../lower/generators.testing.js";
import { lower } from "../lower/lower.js";
import { createMatcher } from "../validate/index.js";
import type { Codec } from "./codec.js";
import { decode } from "./decode.js";

const READER = join(import.meta.dirname, "../../../hasp/schema");

/** Decodes each case with the reader for other languages; `null` for a value that it refuses. */
const PROGRAM = `
import json, sys
from bundle import decode

def read(codec, sent):
    try:
        return [decode(codec, sent)]
    except Exception:
        return None

print(json.dumps([read(*case) for case in json.load(sys.stdin)]))
`;

/** Dialects that together change every kind of shape. */
const DIALECTS: readonly DialectId[] = ["anthropic-strict", "cohere-v2-strict", "gemini", "openai-responses-strict"];

const TUPLE: Codec = { kind: "tuple", names: ["a", "b"], rest: "more" };
const REST: Codec = { kind: "object", properties: { a: { wire: "A" } }, rest: { wire: "more", declared: ["a"] } };

/** Wrong values that chance rarely makes. */
const WRONG: readonly Case[] = (
  [
    [TUPLE, { b: 1 }],
    [TUPLE, { a: 1, more: [2] }],
    [TUPLE, { a: 1, c: 2 }],
    [{ kind: "pairs" }, [1, 2].map((value) => ({ key: "a", value }))],
    [REST, { more: [{ key: "a", value: 1 }] }],
    [REST, { A: 1, a: 2 }],
    [{ kind: "text" }, "{"],
    [{ kind: "union", branches: [{ accepts: true, wire: { enum: [1] } }] }, true],
  ] as const
).map(([codec, sent]) => ({ codec, sent, isEncoded: false }));

interface Case {
  readonly codec: Codec;
  readonly sent: JsonValue;
  readonly isEncoded: boolean;
}

/** Lists calls that a model may send, right and wrong ones, for schemas of every shape in every dialect. */
function listCases(): readonly Case[] {
  return fc.sample(flatSchema, { numRuns: 60, seed: 48 }).flatMap((schema, seed) => {
    const matches = createMatcher(schema);
    const next = chance(seed);
    return DIALECTS.flatMap((id): readonly Case[] => {
      const { codec, encode } = lower(schema, id, { flat: { originsOf: () => [] }, witnessBudget: 0 });
      if (codec === undefined) return [];
      const values = Array.from({ length: 4 }, () => likelyValue(schema, schema.$defs, next));
      return values.flatMap((value) => {
        const wrong = { codec, sent: value, isEncoded: false };
        try {
          return matches(value) ? [wrong, { codec, sent: encode(value), isEncoded: true }] : [wrong];
        } catch {
          return [wrong];
        }
      });
    });
  });
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)("the reader in Python decodes every call as the runtime does, or refuses a wrong one", () => {
  const cases = [...WRONG, ...listCases()];
  const { stdout, stderr } = spawnSync("python3", ["-B", "-c", PROGRAM], {
    cwd: READER,
    input: JSON.stringify(cases.map(({ codec, sent }) => [codec, sent])),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  expect(stderr).toBe("");
  const read = JSON.parse(stdout) as readonly (readonly [JsonValue] | null)[];
  const kinds = new Set(cases.flatMap(({ codec }) => JSON.stringify(codec).match(/(?<="kind":")[a-z]+(?=")/gu) ?? []));
  expect(kinds.size).toBe(9);
  for (const [index, { codec, sent, isEncoded }] of cases.entries()) {
    const found = read[index] ?? null;
    const label = JSON.stringify({ codec, sent });
    if (isEncoded) expect(found, label).toEqual([decode(codec, sent)]);
    else if (found !== null) expect(found, label).toEqual([decode(codec, sent)]);
  }
});
