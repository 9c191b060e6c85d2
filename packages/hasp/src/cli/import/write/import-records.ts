import { resolve } from "node:path";
import { isObject } from "../../../../../compiler/src/model/json-kind.js";
import type { JsonObject } from "@hasp/schema";
import { readText } from "../../../../../project/src/fs/read-text.js";
import { slashPath } from "../../../../../project/src/fs/slash-path.js";
import { editUserFile } from "../../../../../project/src/output/user-files.js";

/**
 * The folder beside the ledger that records what each source said at its last import, to tell the author's edits from
 * the source's changes. It is committed.
 */
export const RECORDS_FOLDER = "hasp-imports";

/** Returns the path of an imported file's record; its name does not end like a spec's. */
export function recordPath(root: string, out: string, fileName: string): string {
  return resolve(root, RECORDS_FOLDER, slashPath(root, out), fileName.replace(/(?:\.tool)?\.ya?ml$/u, ".json"));
}

/** Reads a record; `undefined` if it is missing or unreadable. */
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

export async function writeRecord(path: string, record: JsonObject): Promise<string | undefined> {
  const { state, reason } = await editUserFile(path, () => `${JSON.stringify(record, undefined, 2)}\n`);
  return state === "failed" ? reason : undefined;
}
