import { readFile, writeFile } from "node:fs/promises";
import type { EditNotebookHandler, EditNotebookInput } from "../generated/tools/edit-notebook.js";
import { absolutePath } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

interface Notebook {
  cells: {
    cell_type: string;
    source: string | string[];
    metadata: object;
    outputs?: unknown[];
    execution_count?: number | null;
  }[];
}

/** Changes one cell of a notebook and leaves the rest of the file unchanged. */
export const execute: EditNotebookHandler["execute"] = async ({ path, change }, { context }) => {
  const absolute = await absolutePath(context.workspace, path);
  const notebook = JSON.parse(await readFile(absolute, "utf8")) as Notebook;
  if (!Array.isArray(notebook.cells)) throw new Error(`${path} is not a notebook: it has no cells.`);
  applyChange(notebook.cells, change);
  const text = `${JSON.stringify(notebook, null, 1)}\n`;
  await writeFile(absolute, text);
  return { path, bytes: Buffer.byteLength(text), created: false };
};

function applyChange(cells: Notebook["cells"], change: EditNotebookInput["change"]): void {
  if (change.action === "insert") {
    if (change.before > cells.length) throw new Error(`There are only ${cells.length} cells.`);
    const cell = { cell_type: change.kind, source: change.source, metadata: {} };
    cells.splice(change.before, 0, change.kind === "code" ? { ...cell, outputs: [], execution_count: null } : cell);
    return;
  }
  const cell = cells[change.cell];
  if (cell === undefined) throw new Error(`There is no cell ${change.cell}; the notebook has ${cells.length}.`);
  if (change.action === "delete") cells.splice(change.cell, 1);
  else cell.source = change.source;
}
