import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

// A published package carries its templates; in our own repository they stand at the top, where people look for them.
const OWN = new URL("../../templates/", import.meta.url);
const REPOSITORY = new URL("../../../../templates/", import.meta.url);

/** The text of a file under `templates/`. Not finding it is a fault of the installation, never of the user. */
export async function readTemplate(path: string): Promise<string> {
  return readFile(fileURLToPath(new URL(path, existsSync(OWN) ? OWN : REPOSITORY)), "utf8");
}

/** The template with each `__NAME__` replaced by its value. */
export function filledTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/__([A-Z_]+?)__/g, (placeholder, name: string) => values[name] ?? placeholder);
}
