import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { printTable } from "./measure.js";

/** The programs: a name, and the exports that each takes of each entry. */
const programs = [
  ["@hasp/schema: all", { "@hasp/schema": "*" }],
  ["  flatten", { "@hasp/schema": "{ flatten }" }],
  ["  flatten and lower, every dialect within", { "@hasp/schema": "{ flatten, lower }" }],
  ["@hasp/schema/vocabulary", { "@hasp/schema/vocabulary": "*" }],
  ["@hasp/schema/validate", { "@hasp/schema/validate": "*" }],
  ["  createMatcher: no coercion, no defaults", { "@hasp/schema/validate": "{ createMatcher }" }],
  ["@hasp/schema/codec: decode", { "@hasp/schema/codec": "{ decode }" }],
  ["@hasp/runtime: createDispatcher", { "@hasp/runtime": "{ createDispatcher }" }],
  [
    "  with what a generated registry needs",
    { "@hasp/runtime": "{ createDispatcher }", "@hasp/runtime/codegen/v1": "{ bindSpec, createRegistry }" },
  ],
  ["@hasp/runtime: buildTool", { "@hasp/runtime": "{ buildTool }" }],
  ["@hasp/runtime: all", { "@hasp/runtime": "*" }],
  ["@hasp/runtime/codegen/v1: all", { "@hasp/runtime/codegen/v1": "*" }],
  ["@hasp/runtime/anthropic", { "@hasp/runtime/anthropic": "*" }],
  ["@hasp/runtime/openai", { "@hasp/runtime/openai": "*" }],
  ["@hasp/runtime/gemini", { "@hasp/runtime/gemini": "*" }],
];

async function gzippedKilobytes(imports) {
  const contents = Object.entries(imports)
    .map(([entry, names]) => `export ${names} from "${entry}";`)
    .join("\n");
  const bundled = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    write: false,
    logLevel: "error",
  });
  return (gzipSync(bundled.outputFiles[0].contents).length / 1024).toFixed(1);
}

/** Measures the growth of a user's bundle, minified and gzipped, for each program. */
export default async function run() {
  printTable(
    "bundle size, minified and gzipped",
    ["", "KB"],
    await Promise.all(programs.map(async ([name, imports]) => [name, await gzippedKilobytes(imports)])),
  );
}
