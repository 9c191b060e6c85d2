import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonObject } from "@hasp/schema";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { simulate } from "@hasp/runtime/testing";
import { describe, expect, test } from "vitest";
import { hasShared, readOutputSchemas } from "../schema/shared.testing.js";

/** Compiles a schema with Ajv; `undefined` for one that is no JSON Schema. OpenAPI's `nullable` is none of its keywords. */
function judgeOf(schema: JsonObject): ((value: unknown) => boolean) | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  try {
    return ajv.compile(schema);
  } catch {
    return undefined;
  }
}

describe.skipIf(!hasShared)("simulate (skipped where ../shared/corpus is not there)", () => {
  test("answers every output schema of the corpus with a value that Ajv accepts", async () => {
    const schemas = readOutputSchemas();
    expect(schemas.length).toBeGreaterThan(200);
    const faults: string[] = [];
    let judged = 0;
    for (const { name, schema } of schemas) {
      const judge = judgeOf(schema);
      if (judge === undefined) continue;
      const tool = buildTool({
        name: "answer",
        description: "Answers.",
        input: { type: "object", properties: {} },
        output: schema,
        concurrency: { class: "READ_ONLY" },
        behavior: { requiresPermission: false },
        execute: () => Promise.reject(new Error("a simulation starts no handler")),
      });
      const [result] = await createDispatcher({ tools: [tool], tape: simulate({ seed: name }) }).dispatch([
        { id: "1", name: "answer", input: {} },
      ]);
      judged += 1;
      const isRight = result?.isError === false && judge(result.output);
      if (!isRight) faults.push(`${name}: ${JSON.stringify(result)}`);
    }
    expect(faults).toEqual([]);
    expect(judged).toBeGreaterThan(200);
  });
});
