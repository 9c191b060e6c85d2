// `pnpm start`: compiles the worked example and prints what came of it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { main } from "../dist/cli/main.js";

process.chdir(fileURLToPath(new URL("../../../tools-spec", import.meta.url)));
process.exitCode = await main(["build", "--quiet"]);
if (process.exitCode === 0) {
  const { tools, toolsets } = JSON.parse(readFileSync("src/generated/manifest.json", "utf8"));
  process.stdout.write(`
Compiled the worked example: ${Object.keys(tools).length} tools for ${toolsets.all.length} dialects, in tools-spec/src/generated/.

Next, with npx --yes pnpm@12.21.0 before each:
  demo                         run the turns of a model through it, without a model
  hasp --cwd tools-spec show   see each tool: what it may do, who is asked, what it costs
  hasp --cwd tools-spec build  build again, and see what each provider cannot express
README.md starts a project of your own.
`);
}
