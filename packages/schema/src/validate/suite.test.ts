import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import type { JsonValue } from "@hasp/base/json";
import { createValidator, type Validator } from "./index.js";

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
}

const suite = new URL("../../../../../shared/data/json-schema-test-suite/tests/draft2020-12/", import.meta.url)
  .pathname;

/** Groups that need what only `flatten` follows: refused when the validator is made, with the reason. */
const needsFlatten = /flatten (?:it|the schema) first|must name draft 2020-12 or draft-07/;

/** Optional files that are about this package's choices. */
const optional = [
  "bignum",
  "dependencies-compatibility",
  "ecmascript-regex",
  "float-overflow",
  "no-schema",
  "non-bmp-regex",
  "refOfUnknownKeyword",
  "unknownKeyword",
];

function groupsOf(file: string): readonly Group[] {
  return JSON.parse(readFileSync(join(suite, file), "utf8")) as readonly Group[];
}

function validatorOrReason(group: Group, formats: boolean): Validator | string {
  try {
    return createValidator(group.schema, { formats });
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function wrongVerdicts(validate: Validator, group: Group): readonly string[] {
  return group.tests
    .filter(({ data, valid }) => validate(data).valid !== valid)
    .map(({ description, valid }) => `${group.description}: ${description} (should be ${valid ? "valid" : "invalid"})`);
}

describe.skipIf(!existsSync(suite))("the official suite, draft 2020-12 (skipped where ../shared is absent)", () => {
  const files = existsSync(suite) ? readdirSync(suite).filter((file) => file.endsWith(".json")) : [];
  const refused: string[] = [];
  let count = 0;

  test.each([...files, ...optional.map((name) => `optional/${name}.json`)])(
    "the validator agrees with the official suite: %s",
    (file) => {
      const wrong: string[] = [];
      for (const group of groupsOf(file)) {
        count += 1;
        const validate = validatorOrReason(group, false);
        if (typeof validate === "string") {
          expect(validate).toMatch(needsFlatten);
          refused.push(`${file}: ${group.description}`);
        } else wrong.push(...wrongVerdicts(validate, group));
      }
      expect(wrong).toEqual([]);
    },
  );

  test("the validator refuses only schemas that need flatten", () => {
    expect(count).toBeGreaterThan(380);
    expect(refused.length).toBeLessThanOrEqual(62);
    expect(
      refused.filter((group) => !/ref|anchor|dynamic|unevaluated|vocabulary|defs|unknownKeyword/i.test(group)),
    ).toEqual([]);
  });
});
