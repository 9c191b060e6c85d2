export { findClosest, findNearestName, findNearestWord, findSuggestions, normalizeWord } from "./closest.js";
export { type DiagnosticFactory, type MakeDiagnostic, defineDiagnostics } from "./define-diagnostics.js";
export {
  type Diagnostic,
  type Fix,
  type Found,
  type Location,
  type MoveFix,
  type Position,
  type Range,
  createLocation,
  offerRemoval,
  sortDiagnostics,
} from "./diagnostic.js";
export { fillPlaceholders, findPlaceholders } from "./fill-template.js";
export {
  type DiagnosticDeclarations,
  type DiagnosticDefinition,
  type DiagnosticDefinitions,
  type DiagnosticParameters,
  type FormattedDiagnostic,
  type Message,
  type MessageParameters,
  type MessageValues,
  type Origin,
  type SchemaDiagnostic,
  type Severity,
  type TemplateParameters,
  completeDefinitions,
  describeMessage,
  excerpt,
  findMeant,
  formatDiagnostic,
  formatMessage,
} from "./message.js";
export { type TextSpan, findLineStart, placeAt, placeInText, readLineBreak } from "./place-in-text.js";
export { RIGHT_TO_LEFT, RIGHT_TO_LEFT_RUN } from "./right-to-left.js";
export { hasErrors, isError } from "./severity.js";
export { attempt, firstLine, printThrown } from "./thrown-text.js";
export {
  escapeUnits,
  INVISIBLE,
  isBlankText,
  printVisibleJson,
  printVisibleLines,
  printVisibleText,
} from "./visible-text.js";
export { capitalize, joinList, nameSome, pluralize } from "./words.js";
