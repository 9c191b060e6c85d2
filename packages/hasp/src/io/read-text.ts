import { readFile } from "node:fs/promises";
import { thrownText } from "../diagnostics/thrown-text.js";
import { errorCode } from "./error-code.js";

/** The text of a file that the user named, or why it could not be read. */
export type TextOrReason = { readonly text: string } | { readonly reason: string };

/** Reads a file as strict UTF-8, without a byte order mark. */
export async function readText(path: string): Promise<TextOrReason> {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path)) };
  } catch (error) {
    if (error instanceof TypeError) return { reason: "it is not UTF-8 text" };
    return { reason: REASONS.get(errorCode(error) ?? "") ?? thrownText(error) };
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of its path is not a folder"],
  ["EACCES", "you are not allowed to read it"],
]);
