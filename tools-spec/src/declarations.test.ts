import { readFileSync } from "node:fs";
import { createPrograms } from "@hasp/programs";
import { createDispatcher } from "@hasp/runtime";
import { expect, test } from "vitest";
import { registry } from "./generated/registry.js";

test("the declarations on disk are what a model reads before it writes a program", () => {
  const written = readFileSync(new URL("./generated/declarations.d.ts", import.meta.url), "utf8");
  const dispatcher = createDispatcher({
    tools: registry,
    extensions: [createPrograms({ overTokens: 100_000 })],
    env: { DATABASE_URL: "-", SMTP_URL: "-" },
    // Some tools need a person.
    permissions: { ask: () => "deny" },
  });
  const runProgram = dispatcher.definitions("anthropic").find(({ name }) => name === "run_program");
  const read = runProgram?.description.slice(runProgram.description.indexOf("declare const tools"));
  expect(written.slice(written.indexOf("declare const tools")).replaceAll(/^ +/gmu, "").trim()).toBe(read);
});
