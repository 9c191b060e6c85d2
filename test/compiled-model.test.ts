import { Ajv2020 } from "ajv/dist/2020.js";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "@hasp/project/built-in";
import { readProject } from "@hasp/project/read";
import { compiledModelSchema } from "@hasp/compiler/formats";
import { buildModel } from "@hasp/compiler/plugins";

const root = fileURLToPath(new URL("../tools-spec", import.meta.url));

test("the model of the worked example is as its schema says, and holds every tool and list", async () => {
  const { sources, plan } = await readProject(root);
  const { tools, toolsets, diagnostics } = await compile(sources, plan, { emits: false });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const model = buildModel(tools, toolsets);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  const validate = ajv.compile(compiledModelSchema);
  expect(validate(model), ajv.errorsText(validate.errors)).toBe(true);
  expect(model.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(model.toolsets.map(({ lists }) => lists.map(({ dialect }) => dialect))).toEqual(
    toolsets.map(({ lists }) => lists.map(({ dialect }) => dialect)),
  );
});

test("changes to the model reach nothing in the compiler", async () => {
  const { sources, plan } = await readProject(root);
  const { tools, toolsets } = await compile(sources, plan, { emits: false });
  const before = JSON.stringify(buildModel(tools, toolsets));
  const model = buildModel(tools, toolsets);
  for (const tool of model.tools) Object.assign(tool.metadata, { behavior: { requiresPermission: false } });
  expect(JSON.stringify(buildModel(tools, toolsets))).toBe(before);
});
