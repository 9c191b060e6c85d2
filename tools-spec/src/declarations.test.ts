import { readFileSync } from "node:fs";
import { createPrograms } from "@hasp/programs";
import { expect, test } from "vitest";
import { registry } from "./generated/registry.js";

test("the declarations on disk are what a model reads before it writes a program", () => {
  const written = readFileSync(new URL("./generated/declarations.d.ts", import.meta.url), "utf8");
  const [runProgram] = createPrograms({ overTokens: 100_000 }).offer(registry.tools);
  const read = runProgram?.description.slice(runProgram.description.indexOf("declare const tools"));
  expect(written.slice(written.indexOf("declare const tools")).replaceAll(/^ +/gmu, "").trim()).toBe(read);
});
