import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonObject } from "@hasp/schema";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { simulate } from "@hasp/testing";
import { describe, expect, test } from "vitest";
import { hasShared, readOutputSchemas } from "../schema/shared.testing.js";

/** Compiles a schema with Ajv, in the present draft or in the one of a list of `items`. */
function judgeOf(schema: JsonObject): (value: unknown) => boolean {
  try {
    return addFormats.default(new Ajv2020({ strict: false, logger: false })).compile(schema);
  } catch {
    return addFormats.default(new Ajv({ strict: false, logger: false })).compile(schema);
  }
}

describe.skipIf(!hasShared)("simulate (skipped where ../shared/corpus is not there)", () => {
  test("answers every output schema of the corpus with a value that Ajv accepts", async () => {
    const schemas = readOutputSchemas();
    expect(schemas.length).toBeGreaterThan(200);
    const faults: string[] = [];
    for (const { name, schema } of schemas) {
      const judge = judgeOf(schema);
      const tool = buildTool({
        name: "answer",
        description: "Answers.",
        input: { type: "object", properties: {} },
        output: schema,
        concurrency: { class: "READ_ONLY" },
        behavior: { requiresPermission: false },
        execute: () => Promise.reject(new Error("a simulation starts no handler")),
      });
      const [result] = await createDispatcher({ tools: [tool], extensions: [simulate({ seed: name })] }).dispatch([
        { id: "1", name: "answer", input: {} },
      ]);
      const isRight = result?.isError === false && judge(result.output);
      if (!isRight) faults.push(`${name}: ${JSON.stringify(result)}`);
    }
    expect(faults).toEqual([]);
  });
});
