// The peer's work on a project of ours: a file of types for the input of each spec, by json-schema-to-typescript.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compile } from "json-schema-to-typescript";
import { parse } from "yaml";

const [project = ".", ...flags] = process.argv.slice(2);
const format = !flags.includes("--unformatted");
const specs = readdirSync(join(project, "specs"), { recursive: true }).filter((path) => /\.tools?\.ya?ml$/.test(path));
mkdirSync(join(project, "types"), { recursive: true });
let written = 0;
for (const path of specs) {
  const file = resolve(project, "specs", path);
  const document = parse(readFileSync(file, "utf8"));
  for (const { name, input } of document.tools ?? [document]) {
    const types = await compile(input, name, {
      cwd: dirname(file),
      format,
      bannerComment: "",
      declareExternallyReferenced: true,
    });
    writeFileSync(join(project, "types", `${name}.ts`), types);
    written += 1;
  }
}
if (written === 0) throw new Error(`No spec was found in ${project}.`);
