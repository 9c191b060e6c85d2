import { resolve } from "node:path";
import { isObject } from "../../model/json-kind.js";
import type { JsonObject } from "@hasp/schema";
import { readText } from "../../host/fs/read-text.js";
import { slashPath } from "../../host/fs/slash-path.js";
import { editUserFile } from "../../host/output/user-files.js";

/**
 * The folder in which imports are recorded, beside the ledger: what each source said when it was last imported, so that
 * an update can tell the author's edits from the source's changes. To be committed.
 */
export const RECORDS_FOLDER = "hasp-imports";

/** Where the record of a file that an import wrote stands; not under the name of a spec, for which it would be taken. */
export function recordPath(root: string, out: string, fileName: string): string {
  return resolve(root, RECORDS_FOLDER, slashPath(root, out), fileName.replace(/(?:\.tool)?\.ya?ml$/u, ".json"));
}

/** What was recorded; `undefined` where nothing was, or nothing that can be read. */
export async function readRecord(path: string): Promise<JsonObject | undefined> {
  const content = await readText(path);
  if (!("text" in content)) return undefined;
  try {
    const value: unknown = JSON.parse(content.text);
    return isObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Records an import; answers why that failed, if it did. */
export async function writeRecord(path: string, record: JsonObject): Promise<string | undefined> {
  const { state, reason } = await editUserFile(path, () => `${JSON.stringify(record, undefined, 2)}\n`);
  return state === "failed" ? reason : undefined;
}
