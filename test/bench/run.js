// `pnpm bench [section …]`: medians of several runs, the peer in the same run, on this machine.
import { cpus } from "node:os";
import { hasGenerator } from "./toolset.js";

const sections = [
  "sizes",
  "generated-code",
  "command-line",
  "schema-engine",
  "dispatch",
  "handlers",
  "programs",
  "adapters",
  "mcp-http",
  "mcp-marks",
  "durable",
  "conformance",
  "corpus-findings",
  "openapi-import",
  "openapi",
  "flow",
  "tapes",
  "lint",
  "catalogue",
  "real",
  "language-server",
];
const asked = process.argv.slice(2);
// Ten minutes are for whoever asks: `pnpm bench mcp-soak`.
const chosen = asked.length === 0 ? sections : asked;

if (!hasGenerator) {
  process.stdout.write("bench: skipped, ../shared/bench/generate-toolset.mjs is not beside this repository.\n");
} else {
  process.stdout.write(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}\n`);
  for (const section of chosen) {
    const { default: run } = await import(`./${section}.js`);
    await run();
  }
}
