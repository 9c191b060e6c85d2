export { compareWith, findChangesSince } from "./writing/compare-with.js";
export { catalogueFindings } from "./writing/diagnostics.js";
export { ALL, type Review, type ReviewSettings, reviewMark, reviewMarkdown } from "./review.js";
export { renderToolPage, writeCatalogue, writeChangesPage } from "./writing/write-catalogue.js";
