import { expect, test } from "vitest";

/** A small document, or with HASP_SAMPLES large ones, and how many of their operations; `pnpm bench openapi` calls all. */
const DOCUMENTS = process.env["HASP_SAMPLES"] !== undefined ? ["github:10", "figma:8", "star-trek:8"] : ["petstore"];

interface Result {
  readonly name: string;
  readonly counts?: readonly [operations: number, carried: number, called: number, accepted: number];
  readonly failures: readonly unknown[];
}

test("a service that a document describes accepts every call of every imported operation", async () => {
  const benchmark = new URL("../bench/openapi.js", import.meta.url).href;
  const { callDocuments } = (await import(benchmark)) as {
    callDocuments(asked: readonly string[]): Promise<readonly Result[]>;
  };
  const results = await callDocuments(DOCUMENTS);
  for (const { name, counts = [0, 0, 0, 0], failures } of results) {
    const [operations, carried, called, accepted] = counts;
    expect({ name, failures, accepted }).toEqual({ name, failures: [], accepted: operations });
    expect([carried, called]).toEqual([operations, operations]);
  }
});
