import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { SourceText } from "../model/document.js";
import { TEMPLATE_FOLDER } from "../templates/check-template.js";
import { createProjectReader } from "./read-inside.js";

// A published package carries its templates; in our own repository they stand at the top, where people look for them.
const OWN = new URL("../../templates/", import.meta.url);
const REPOSITORY = new URL("../../../../templates/", import.meta.url);

/** The text of a file under `templates/`. Not finding it is a fault of the installation, never of the user. */
export async function readTemplate(path: string): Promise<string> {
  return readFile(fileURLToPath(new URL(path, existsSync(OWN) ? OWN : REPOSITORY)), "utf8");
}

/** The project's own form of a template, where it has one; links that lead out of the project are not followed. */
export function readOwnTemplate(root: string, path: string): SourceText | undefined {
  return createProjectReader(root).read(`${TEMPLATE_FOLDER}/${path}`, "config");
}
