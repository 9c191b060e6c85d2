import { readFile } from "node:fs/promises";
import { NotExecuted } from "@hasp/runtime";
import type { EditNotebookHandler, EditNotebookInput } from "../generated/tools/edit-notebook.js";
import { type Notebook, parseNotebook } from "../services/notebooks.js";
import { absolutePath, nothingHappened, writeWhole } from "../services/workspace.js";

export { insideWorkspace } from "../services/workspace.js";

/** Changes one cell of a notebook and leaves the rest of the file unchanged. */
export const execute: EditNotebookHandler["execute"] = async ({ path, change }, { context }) => {
  const absolute = await absolutePath(context.workspace, path);
  const notebook = parseNotebook(path, await readFile(absolute, "utf8").catch(nothingHappened));
  applyChange(notebook.cells, change);
  const bytes = await writeWhole(absolute, `${JSON.stringify(notebook, null, 1)}\n`, { mayReplace: true });
  return { path, bytes, created: false };
};

function applyChange(cells: Notebook["cells"], change: EditNotebookInput["change"]): void {
  if (change.action === "insert") {
    if (change.before > cells.length) throw new NotExecuted(`there are only ${cells.length} cells`);
    const cell = { cell_type: change.kind, source: change.source, metadata: {} };
    cells.splice(change.before, 0, change.kind === "code" ? { ...cell, outputs: [], execution_count: null } : cell);
    return;
  }
  const cell = cells[change.cell];
  if (cell === undefined) throw new NotExecuted(`there is no cell ${change.cell}; the notebook has ${cells.length}`);
  if (change.action === "delete") cells.splice(change.cell, 1);
  else cell.source = change.source;
}
