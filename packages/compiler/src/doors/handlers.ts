export { checkAddress, isPrivateHost, listAddresses, listPrivateAddresses } from "../handlers/addresses.js";
export { collectNeeds, findPeerPackage, listOAuthPeers, listPeers } from "../handlers/connection-needs.js";
export { handlerDiagnostics } from "../handlers/diagnostics.js";
export {
  type Take,
  createValueReader,
  expectAuth,
  expectClient,
  expectWholeInput,
  fromCall,
} from "../handlers/expected-value.js";
export type {
  ConnectionModule,
  ConnectionSubject,
  DeclaringTool,
  ExpectedSubject,
  GeneratedModule,
  HandlerKind,
  HandlerKindParts,
  ModuleScope,
  ModuleSubject,
  RecordRequest,
  ReportConnection,
  ReportHandler,
  StatedAnswer,
} from "../handlers/handler-kind.js";
export { findProperty, listBranches, mayBe, mayBeginWithDash } from "../handlers/input-property.js";
export { defineHandlerKind } from "../handlers/kinds.js";
export {
  chooseContextType,
  printAuth,
  printPlaceholder,
  printValue,
  printValueFunction,
  printWholeInput,
} from "../handlers/print-value.js";
export {
  type ReferenceRole,
  type TemplatePart,
  type ValueReference,
  findReferencesInTemplate,
  findReferencesInValue,
  parsePlaceholder,
  parseSource,
  readLiteral,
  splitTemplate,
} from "../handlers/references.js";
export {
  type DeclaredValue,
  type Effect,
  type HandlerDeclaration,
  type HandlerFormats,
  type Happening,
  type SpecBind,
  findPluginKind,
  isPluginKind,
  listPluginKinds,
} from "../model/handlers.js";
