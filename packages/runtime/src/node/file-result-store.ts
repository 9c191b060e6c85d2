import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ToolContent } from "../tool/definition.js";
import type { ResultStore } from "../results/memory-result-store.js";

/** Where results go, and what the model is told of it. */
export interface FileResultStoreOptions {
  /** Made if it is not there. Nothing else should write to it; who cleans it up is the host's affair. */
  readonly directory: string;
  /** What the model reads in place of the file's path. Default: the absolute path. */
  readonly referenceOf?: (path: string) => string;
}

/** Keeps results that are too long for the model as files, readable by their owner alone. */
export function fileResultStore({ directory, referenceOf = (path) => path }: FileResultStoreOptions): ResultStore {
  const folder = resolve(directory);
  return {
    async put({ toolName, content }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The tool's name is checked; the call's id is the model's and stays out of the path.
      const path = join(folder, `${toolName}-${randomUUID()}.txt`);
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
      return `${block.uri}\n${block.text ?? ""}`;
    })
    .join("\n");
}
