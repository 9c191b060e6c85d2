import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SourceText } from "@hasp/compiler";
import { TEMPLATE_FOLDER } from "@hasp/compiler/source";
import { locateOwnFile } from "./own-package.js";
import { createProjectReader } from "../fs/read-inside.js";

/** Reads a file under `templates/`. A missing one is a fault of the installation, never of the user. */
export async function readTemplate(path: string): Promise<string> {
  return readFile(join(templateFolder(), path), "utf8");
}

/** Lists the names of the files in a folder under `templates/`. */
export function listTemplates(folder: string): readonly string[] {
  return readdirSync(join(templateFolder(), folder)).toSorted();
}

/** Finds the templates: inside a published package, but at the top of our own repository. */
function templateFolder(): string {
  const published = locateOwnFile("templates");
  return existsSync(published) ? published : locateOwnFile("../../templates");
}

/** Reads the project's own version of a template, if any. Follows no link that leads outside the project. */
export function readOwnTemplate(root: string, path: string): SourceText | undefined {
  return createProjectReader(root).read(`${TEMPLATE_FOLDER}/${path}`, "config");
}
