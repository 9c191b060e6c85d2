import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import $RefParser from "@apidevtools/json-schema-ref-parser";
import { createValidator, dialects, flatten, lower } from "@hasp/schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import mergeAllOf from "json-schema-merge-allof";
import { growth, measureCall, median, printTable } from "./measure.js";
import { makeToolset } from "./toolset.js";

/** Generated tools with every shared definition inside, so that ours and the peer begin with the same bytes. */
function readTools(count) {
  const folder = makeToolset(count, "--peers");
  const common = new Map(
    readdirSync(join(folder, "common")).map((name) => [
      name,
      JSON.parse(readFileSync(join(folder, "common", name), "utf8")),
    ]),
  );
  const tools = readdirSync(join(folder, "peers")).map(
    (name) => JSON.parse(readFileSync(join(folder, "peers", name), "utf8")).inputSchema,
  );
  return tools.map((tool) => bundle(tool, common));
}

function bundle(tool, common) {
  const $defs = { ...tool.$defs };
  const inline = (value) => {
    if (Array.isArray(value)) return value.map(inline);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, key === "$ref" ? localName(child) : inline(child)]),
    );
  };
  const localName = (reference) => {
    const [, file, name] = /^\.\.\/common\/(.+?)#\/\$defs\/(.+)$/.exec(reference) ?? [];
    if (file === undefined) return reference;
    if (!Object.hasOwn($defs, name)) {
      $defs[name] = true;
      const definitions = common.get(file).$defs;
      $defs[name] = JSON.parse(JSON.stringify(definitions[name]), (key, value) =>
        key === "$ref" ? localName(`../common/${file}${value}`) : value,
      );
    }
    return `#/$defs/${name}`;
  };
  const { $defs: _own, ...rest } = tool;
  const schema = inline(rest);
  for (const [name, definition] of Object.entries(tool.$defs ?? {})) $defs[name] = inline(definition);
  return { ...schema, $defs };
}

const time = (work) => {
  const started = performance.now();
  work();
  return performance.now() - started;
};

/** The median of five rounds, in milliseconds of the processor; a first round only warms up. */
async function processorTime(work) {
  const times = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times.slice(1));
}

/** The engine in process: flattening, lowering, validating, each beside its peer. */
export default async function run() {
  const tools = readTools(1000);

  let thrown = 0;
  const ours = await processorTime(() => tools.forEach((tool) => flatten(tool)));
  const peer = await processorTime(async () => {
    thrown = 0;
    for (const tool of tools) {
      try {
        mergeAllOf(await $RefParser.dereference(structuredClone(tool), { dereference: { circular: "ignore" } }), {
          deep: true,
        });
      } catch {
        thrown += 1;
      }
    }
  });
  printTable(
    "flatten 1000 generated tools, processor time",
    ["", "ms", "ratio"],
    [
      ["@hasp/schema flatten", ours.toFixed(0), "1.0"],
      [`ref-parser + merge-allof (${thrown} tools thrown)`, peer.toFixed(0), (peer / ours).toFixed(1)],
    ],
  );

  const flat = tools.map((tool) => flatten(tool));
  const perDialect = Object.keys(dialects).map((id) => {
    const figure = median(
      Array.from({ length: 3 }, () =>
        time(() => flat.forEach((result) => lower(result.schema, id, { flat: result, witnessBudget: 0 }))),
      ),
    );
    return [id, (figure / flat.length).toFixed(4)];
  });
  printTable("lower, ms per tool (no search for witnesses)", ["", "ms"], perDialect);

  const schema = {
    type: "object",
    required: ["id", "name", "kind", "limit"],
    additionalProperties: false,
    properties: {
      id: { type: "string", pattern: "^[a-z0-9-]+$" },
      name: { type: "string", minLength: 1, maxLength: 80 },
      kind: { enum: ["user", "group", "robot"] },
      limit: { type: "integer", minimum: 1, maximum: 1000 },
      ratio: { type: "number", minimum: 0, maximum: 1 },
      active: { type: "boolean" },
    },
  };
  const value = { id: "a-1", name: "Ada", kind: "user", limit: 10, ratio: 0.5, active: true };
  const ajv = new Ajv2020();
  const validate = createValidator(schema);
  const coerce = createValidator(schema, { coerce: true, defaults: true });
  const compiled = ajv.compile(schema);
  const make = await measureCall(() => createValidator(schema), { inner: 2000 });
  const makeAjv = await measureCall((index) => new Ajv2020().compile({ ...schema, $id: `bench:${index}` }), {
    inner: 20,
  });
  const check = await measureCall(() => validate(value), { inner: 20_000 });
  const coerced = await measureCall(() => coerce(value), { inner: 20_000 });
  const checkAjv = await measureCall(() => compiled(value), { inner: 20_000 });
  printTable(
    "validate a six-field object, µs",
    ["", "make", "run"],
    [
      ["createValidator", make.toFixed(1), check.toFixed(3)],
      ["createValidator, coercion and defaults", "", coerced.toFixed(3)],
      ["Ajv 2020 compiled", makeAjv.toFixed(0), checkAjv.toFixed(3)],
    ],
  );

  const sizes = [100, 500, 1000, 5000].map((size) => {
    const set = readTools(size);
    return {
      size,
      value: median(
        Array.from({ length: 3 }, () =>
          time(() => set.forEach((tool) => lower(tool, "openai-responses-strict", { witnessBudget: 0 }))),
        ),
      ),
    };
  });
  printTable(
    "flatten and lower, growth",
    ["tools", "ms"],
    sizes.map(({ size, value: figure }) => [size, figure.toFixed(0)]),
  );
  process.stdout.write(`growth from 100 to 5000 tools: n^${growth(sizes[0], sizes.at(-1)).toFixed(2)}\n`);
}
