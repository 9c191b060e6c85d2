import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createValidator, dialects, type JsonObject } from "@hasp/schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { configSchemaForEditors, policySchema } from "@hasp/compiler/formats";
import { builtInPlugins, haspConfigSchema, toolSpecSchema } from "@hasp/project/built-in";

const { rules } = builtInPlugins;

type Schema = { readonly [keyword: string]: unknown };

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every schema below `properties`, with its path. */
function* fieldsOf(value: unknown, path: string): Generator<{ readonly path: string; readonly schema: Schema }> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* fieldsOf(item, `${path}/${index}`);
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === "properties" && isObject(item)) {
      for (const [name, schema] of Object.entries(item)) {
        if (!isObject(schema)) continue;
        yield { path: `${path}/${name}`, schema };
        yield* fieldsOf(schema, `${path}/${name}`);
      }
    } else if (key !== "examples" && key !== "if") yield* fieldsOf(item, `${path}/${key}`);
  }
}

describe.each([
  ["tool-spec", toolSpecSchema],
  ["policy", policySchema],
  ["hasp-config", haspConfigSchema],
  ["hasp-config for editors", configSchemaForEditors(haspConfigSchema, rules)],
])("%s.schema.json", (_name, schema) => {
  test("is a valid schema, and so are its references", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
    ajv.addKeyword("x-expected");
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  test("describes every field to a newcomer", () => {
    const mute = [...fieldsOf(schema, "")].filter(({ schema: field }) => typeof field["description"] !== "string");
    expect(mute.map(({ path }) => path)).toEqual([]);
  });

  test("every choice says what it expects", () => {
    const isChoice = (value: Schema): boolean => Array.isArray(value["anyOf"]) || Array.isArray(value["oneOf"]);
    const mute: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      if (isObject(value) && isChoice(value) && typeof value["x-expected"] !== "string") mute.push(path);
      for (const [key, item] of Object.entries(value)) if (key !== "not") visit(item, `${path}/${key}`);
    };
    visit(schema, "");
    expect(mute).toEqual([]);
  });

  test("gives examples that are valid", () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ ...schema, $id: "hasp:own" });
    for (const { schema: field } of fieldsOf(schema, "")) {
      const rebased: unknown = JSON.parse(JSON.stringify(field).replaceAll('"#/$defs/', '"hasp:own#/$defs/'));
      const validate = ajv.compile(isObject(rebased) ? rebased : {});
      for (const example of Array.isArray(field["examples"]) ? field["examples"] : []) {
        expect(validate(example), `${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`).toBe(true);
      }
    }
  });
});

test.each([
  ["spec", toolSpecSchema, "Tool"],
  ["policy", policySchema, "Policy"],
  ["configuration", haspConfigSchema, "Config"],
] as const)("docs/reference/%s.md lists every key", (file, schema, name) => {
  const text = readFileSync(join(import.meta.dirname, `../../packages/hasp/docs/reference/${file}.md`), "utf8");
  const definitions = schema["$defs"];
  const start = isObject(definitions) ? definitions[name] : undefined;
  const keys = isObject(start) && isObject(start["properties"]) ? Object.keys(start["properties"]) : [];
  expect(keys.length).toBeGreaterThan(5);
  for (const key of keys) expect(text).toContain(`| \`${key}\``);
});

test("editors find no fault in the worked example", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile(toolSpecSchema);
  const folder = join(import.meta.dirname, "../../tools-spec/specs");
  const specs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".tool.yaml")) : [];
  expect(specs.length).toBeGreaterThan(0);
  for (const name of specs) {
    const value: unknown = parseDocument(readFileSync(join(folder, name), "utf8")).toJS();
    expect(validate(value), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});

test("editors complete the rules whose severity can be set, and mark every other", () => {
  const isFixed = (id: string): boolean => id.startsWith("fail-closed/");
  const schema = configSchemaForEditors(haspConfigSchema, rules);
  const own = createValidator(schema);
  const ajv = new Ajv2020({ strict: false }).compile(schema);
  const validate = (config: JsonObject): readonly boolean[] => [own(config).valid, ajv(config)];
  for (const { id } of rules) {
    const [general, special, ignored] = [
      { findings: [{ rule: id, severity: "info" }] },
      { findings: [{ in: "a", rule: id, severity: "off" }] },
      { findings: [{ in: "a", rule: id, reason: "b" }] },
    ];
    for (const config of [general, special, ignored]) {
      expect([id, ...validate(config)]).toEqual([id, !isFixed(id), !isFixed(id)]);
    }
  }
  expect(validate({ findings: [{ rule: "naming/vague", severity: "off" }] })).toEqual([false, false]);
  expect(rules.some(({ id }) => isFixed(id))).toBe(true);
});

test("both spellings of the dialects in the configuration's schema name every dialect", () => {
  const definitions = haspConfigSchema["$defs"];
  const id = isObject(definitions) && isObject(definitions["DialectId"]) ? definitions["DialectId"]["else"] : undefined;
  const list = isObject(id) ? id["enum"] : undefined;
  const map =
    isObject(definitions) && isObject(definitions["DialectMap"]) ? definitions["DialectMap"]["properties"] : undefined;
  expect(list).toEqual(Object.keys(isObject(map) ? map : {}));
  expect(Array.isArray(list) ? list.toSorted() : list).toEqual(Object.keys(dialects).toSorted());
});
