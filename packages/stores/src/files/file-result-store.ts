import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContent } from "@hasp/runtime";
import type { ResultStore } from "@hasp/runtime/results";
import { resolveFolder } from "./call-journal/private-files.js";

export interface FileResultStoreOptions {
  /** Returns the reference that the model reads. Default: the absolute path of the file. */
  readonly referenceOf?: (path: string) => string;
}

/**
 * Creates a store that keeps results in `folder`, as files that only their owner can read. Nothing else should write
 * there; the host cleans it up.
 */
export function fileResultStore(
  folder: string,
  { referenceOf = (path) => path }: FileResultStoreOptions = {},
): ResultStore {
  const directory = resolveFolder(folder, "fileResultStore");
  return {
    async put({ toolName, content }) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // The tool's name is checked. The call id comes from the model and stays out of the path.
      const path = join(directory, `${toolName}-${randomUUID()}.txt`);
      await writeFile(path, asText(content), { mode: 0o600, flag: "wx" });
      return referenceOf(path);
    },
  };
}

function asText(content: readonly ToolContent[]): string {
  return content
    .map((block) => {
      if (block.type === "text") return block.text;
      if (block.type === "image") return `data:${block.mimeType};base64,${block.data}`;
      return `${block.uri}\n${block.text ?? ""}${block.blob === undefined ? "" : `data:${block.mimeType ?? ""};base64,${block.blob}`}`;
    })
    .join("\n");
}
