export { CATALOGUE_MARK, type CatalogueAssets, catalogue } from "./catalogue.js";
export { type CatalogueProject, catalogueData } from "./data/catalogue-data.js";
export { createChanges } from "./data/finding.js";
export type { CatalogueData, Changes } from "./model.js";
export { type ReviewSettings, reviewMark, reviewMarkdown } from "./review.js";
