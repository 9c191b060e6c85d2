// `pnpm start`: compiles the worked example and prints what came of it.
import { fileURLToPath } from "node:url";
import { main } from "../dist/cli/main.js";

process.chdir(fileURLToPath(new URL("../../../tools-spec", import.meta.url)));
process.stdout.write("Compiling the worked example in tools-spec/\n\n");
process.exitCode = await main(["build"]);
if (process.exitCode === 0) {
  process.stdout.write("\nNext: `pnpm demo` runs one model turn through it; README.md starts a project of your own.\n");
}
