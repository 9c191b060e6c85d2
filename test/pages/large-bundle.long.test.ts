import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { compileSpecs } from "../generated/generated-project.js";
import { findProgram } from "../missing-programs.js";

test.skipIf(findProgram("python3") === undefined)("a bundle of 3,000 tools is built, and Python reads it", async () => {
  const input = { type: "object", properties: { id: { type: "string" } } };
  const names = Array.from({ length: 3000 }, (_, index) => `tool_${index}`);
  const specs = names.map((name) => [`${name}.tool.yaml`, { hasp: 1, name, description: "Does something.", input }]);
  const { files } = await compileSpecs(Object.fromEntries(specs), {
    bundle: true,
    dialects: [{ id: "mistral", strict: false, onUncarried: "error" }],
  });
  const text = files.find(({ path }) => path === "src/generated/bundle.json")?.text ?? "";
  const program = "import sys; from bundle import read; print(len(read(sys.stdin.read())['tools']))";
  const cwd = resolve(import.meta.dirname, "../../packages/hasp/schema");
  expect(execFileSync("python3", ["-B", "-c", program], { cwd, input: text }).toString()).toBe("3000\n");
});
