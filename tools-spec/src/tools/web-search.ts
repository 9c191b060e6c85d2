import type { WebSearchHandler } from "../generated/tools/web-search.js";

/** Searches the index that the host provides: a web service, or its own. */
export const execute: WebSearchHandler["execute"] = async ({ query, limit }, { context, signal }) => ({
  pages: await context.searchWeb(query, limit, signal),
});
