import type { UpdateTodosHandler } from "../generated/tools/update-todos.js";

export const oneActiveItem: UpdateTodosHandler["oneActiveItem"] = ({ items }) =>
  items.filter(({ state }) => state === "active").length < 2 || "only one item can be active";

/** Replaces the list; the host shows it. */
export const execute: UpdateTodosHandler["execute"] = ({ items }, { context }) => {
  context.showTodos(items);
  const count = (wanted: string): number => items.filter(({ state }) => state === wanted).length;
  return Promise.resolve({ open: count("open"), active: count("active"), done: count("done") });
};
