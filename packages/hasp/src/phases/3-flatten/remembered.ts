import type { Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../../model/document.js";
import type { FlatTool, ToolModel } from "../../model/tool.js";

/** The files of a project by path. */
export interface Documents {
  get(path: string): LoadedDocument | undefined;
}

/** What flattening one tool gave, and every file that it asked for (`undefined` if there was none). */
interface Memory {
  readonly asked: ReadonlyMap<string, LoadedDocument | undefined>;
  readonly found: Found<FlatTool | undefined>;
}

const memories = new WeakMap<LoadedDocument, Map<string, Memory>>();

/**
 * Flattens a tool, unless it was flattened before from the very same documents. Who compiles again and again (`--watch`,
 * an editor) pays for what has changed only.
 */
export function remembered(
  tool: ToolModel,
  documents: Documents,
  flattenTool: (tool: ToolModel, documents: Documents) => Found<FlatTool | undefined>,
): Found<FlatTool | undefined> {
  const ofDocument = memories.get(tool.document) ?? new Map<string, Memory>();
  memories.set(tool.document, ofDocument);
  const memory = ofDocument.get(tool.pointer);
  if (memory !== undefined && [...memory.asked].every(([path, document]) => documents.get(path) === document))
    return memory.found;

  const asked = new Map<string, LoadedDocument | undefined>();
  const recording: Documents = {
    get(path) {
      const document = documents.get(path);
      asked.set(path, document);
      return document;
    },
  };
  const found = flattenTool(tool, recording);
  ofDocument.set(tool.pointer, { asked, found });
  return found;
}
