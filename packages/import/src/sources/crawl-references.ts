import { $RefParser, type FileInfo } from "@apidevtools/json-schema-ref-parser";
import type { JsonValue } from "@hasp/schema";

/** Stands for the folder to which paths are relative; never fetched. */
const BASE = "https://import.invalid/";

/**
 * Follows the references of a document of several files. Calls `read` for each file once, by its path, and skips
 * missing ones; never touches the network or the rest of the disk.
 */
export async function crawlReferences(
  uri: string,
  value: JsonValue,
  read: (path: string) => JsonValue | undefined,
): Promise<void> {
  const own = {
    order: 1,
    canRead: true,
    read: ({ url }: FileInfo): string => {
      const found = url.startsWith(BASE) ? read(decodeURIComponent(url.slice(BASE.length))) : undefined;
      if (found === undefined) throw new Error(`${url} is not read.`);
      return JSON.stringify(found);
    },
  };
  try {
    await new $RefParser().resolve(
      BASE + uri.split("/").map(encodeURIComponent).join("/"),
      structuredClone(value) as object,
      {
        continueOnError: true,
        resolve: { file: false, http: false, own },
        parse: { yaml: false, text: false, binary: false, json: { order: 1, canParse: true, allowEmpty: true } },
      },
    );
  } catch {
    // The reference that needs the file reports it.
  }
}
