export { compareWith, findChangesSince } from "./writing/compare-with.js";
export { catalogueFindings } from "./writing/diagnostics.js";
export type { Changes } from "./model.js";
export { type ReviewSettings, reviewMark, reviewMarkdown } from "./review.js";
export { renderToolPage, writeCatalogue } from "./writing/write-catalogue.js";
