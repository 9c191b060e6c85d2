// The floor of every command that reads YAML: the parser alone, on the specs of a project.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const folder = join(process.argv[2] ?? ".", "specs");
const paths = readdirSync(folder, { recursive: true }).filter((path) => /\.tools?\.ya?ml$/.test(path));
for (const path of paths) parse(readFileSync(join(folder, path), "utf8"));
if (paths.length === 0) throw new Error(`No spec was found in ${folder}.`);
