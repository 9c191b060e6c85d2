import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../guides/guide.js";
import { compileSpecs, createProject } from "../generated/generated-project.js";

test("the programs for engines of durable execution type-check", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../packages/hasp/docs/durable-engines.md"), "utf8");
  const project = createProject(await compileSpecs({}));
  try {
    const programs = blocksOf(page).filter(({ path }) => path.startsWith("engine "));
    for (const { path, text } of programs) project.write(`src/${path.slice("engine ".length)}`, text);
    expect(programs.length).toBeGreaterThan(5);
    project.write("src/engines.d.ts", readFileSync(join(import.meta.dirname, "engines.d.ts"), "utf8"));
    expect(project.typeErrors()).toBe("");
  } finally {
    project.remove();
  }
});
