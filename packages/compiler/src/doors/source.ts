export { TEMPLATE_FOLDER, checkTemplate, stubTemplatePaths, stubTemplates } from "../phases/1-load/check-template.js";
export { load } from "../phases/1-load/index.js";
export { parseParts, parseSource } from "../phases/1-load/parse-source.js";
export {
  BYTE_ORDER_MARK,
  DEPTH_LIMIT,
  MEGABYTE,
  MEGABYTES_LIMIT,
  createLocator,
  findConflict,
  findConflictMarker,
} from "../phases/1-load/source-text.js";
export { type SourceSpan, type SpanMap, type SpanMapBuilder, createSpanMapBuilder } from "../phases/1-load/span-map.js";
export { listReferences, mayHoldIds } from "../model/document-references.js";
export { resolve } from "../phases/2-resolve/index.js";
export { createFlatSchema, flatPart } from "../phases/3-flatten/flat-schema.js";
export { flatten } from "../phases/3-flatten/index.js";
export { findOpenInputs } from "../phases/3-flatten/open-inputs.js";
