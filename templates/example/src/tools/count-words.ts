import type { CountWordsHandler } from "../generated/tools/count-words.js";

/** Counts runs of non-space characters as words, and lines as an editor numbers them. */
export const execute: CountWordsHandler["execute"] = (input) => ({
  words: input.text.split(/\s+/).filter((word) => word !== "").length,
  lines: input.text === "" ? 0 : input.text.split("\n").length,
});
