import { gzipSync } from "node:zlib";
import { resolve } from "node:path";
import { build } from "esbuild";
import { printTable } from "./measure.js";

const packages = resolve(import.meta.dirname, "../../packages");

async function gzippedKilobytes(entry) {
  const bundled = await build({ entryPoints: [resolve(packages, entry)], bundle: true, minify: true, format: "esm", platform: "neutral", write: false });
  return (gzipSync(bundled.outputFiles[0].contents).length / 1024).toFixed(1);
}

/** What a user downloads: minified and gzipped bundles of each entry. */
export default async function run() {
  const entries = ["schema/dist/index.js", "schema/dist/validate/index.js", "schema/dist/codec/index.js", "runtime/dist/index.js", "runtime/dist/codegen/index.js"];
  printTable("bundle size, minified and gzipped", ["", "KB"], await Promise.all(entries.map(async (entry) => [entry.replace("/dist", "").replace("/index.js", ""), await gzippedKilobytes(entry)])));
}
