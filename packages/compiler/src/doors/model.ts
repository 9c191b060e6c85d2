export { createAnnotationCheck } from "../model/annotations.js";
export { DAY_UNKNOWN, DEFAULT_DIALECTS, completePlan, createPlainDialect } from "../model/complete-plan.js";
export {
  ENTRY_PARTS,
  HINTS,
  resolveDialect,
  isClaim,
  isOwnDialect,
  listLaterTools,
  nameDialect,
} from "../model/dialect.js";
export {
  fromDocumentUri,
  isRemote,
  listReferencedPaths,
  resolveReference,
  toDocumentUri,
  toLocalReference,
} from "../model/document-references.js";
export { type LoadedDocument, listDeclaredTools } from "../model/document.js";
export { closed, flag, ref, text } from "../model/field-schemas.js";
export { RULE_GROUPS, type RuleGroup, findingPhases, groupName, isFixedRule, isOfPhase } from "../model/finding-ids.js";
export { type Connections, findConnectionName, declarationOf } from "../model/handlers.js";
export { type ToolForm, findLosses, groupFormsByTool, listSettings } from "../model/lowered.js";
export { DEFAULT_OUT_DIR, findForeignFolder, isWithinFolder, normalisePath } from "../model/paths.js";
export type {
  Budgets,
  Client,
  ClientFacts,
  CustomRule,
  DiffLevels,
  ApprovalProof,
  ExclusionPlan,
  HandlerDigest,
  ImportExtension,
  NamedPlugin,
  PluginPlan,
  ProjectPlan,
  RuleFacts,
  StubTemplates,
  ToolSelector,
  ToolsetPlan,
} from "../model/plan.js";
export type { PolicyModel } from "../model/policy.js";
export { findSecret, redactSecrets } from "../text/secret-forms.js";
export { PART_NAME, isReservedName } from "../model/reserved-names.js";
export { createInputValidator, findSchemaAt } from "../model/schemas.js";
export { type KeysWith, SPEC_KEYS, PROMPT_TEXTS, SPEC_KEY_ROWS, type SpecKey } from "../model/spec-keys.js";
export { isAskedAnyway } from "../model/tool.js";
export { DEFAULT_FLOW, choosePolicy, listToolsetMembers, wholeToolset } from "../model/toolset-members.js";
export { type NeededExtension, listNeeded, printSome } from "../model/toolset-members.js";
export { readFreeText, takesBareText } from "../free-text/input.js";
export { createFlatSchema, flatPart } from "../phases/3-flatten/flat-schema.js";
export { findOpenInputs } from "../phases/3-flatten/open-inputs.js";
export { findDialectPlan } from "../model/dialect.js";
export type { Documents } from "../model/document-references.js";
export type { HoistedSchema } from "../model/lowered.js";
export type { PolicyRule, PolicyTest } from "../model/policy.js";
export { visitSchemas } from "../model/schemas.js";
export type { SpecTest } from "../model/tool-spec.js";
export type { FlatRule } from "../model/tool.js";
