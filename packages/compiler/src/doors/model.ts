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
  findDialectPlan,
} from "../model/dialect.js";
export {
  fromDocumentUri,
  isRemote,
  listReferencedPaths,
  resolveReference,
  toDocumentUri,
  toLocalReference,
  type Documents,
} from "../model/document-references.js";
export { type LoadedDocument, listDeclaredTools } from "../model/document.js";
export { closed, flag, ref, text } from "../model/field-schemas.js";
export { RULE_GROUPS, type RuleGroup, findingPhases, groupName, isFixedRule, isOfPhase } from "../model/finding-ids.js";
export { type Connections, findConnectionName, declarationOf } from "../model/handlers.js";
export { type ToolForm, findLosses, groupFormsByTool, listSettings, type HoistedSchema } from "../model/lowered.js";
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
export type { PolicyModel, PolicyRule, PolicyTest } from "../model/policy.js";
export { findSecret, redactSecrets } from "../text/secret-forms.js";
export { PART_NAME, isReservedName } from "../model/reserved-names.js";
export { createInputValidator, findSchemaAt, visitSchemas } from "../model/schemas.js";
export { type KeysWith, SPEC_KEYS, PROMPT_TEXTS, SPEC_KEY_ROWS, type SpecKey } from "../model/spec-keys.js";
export { isAskedAnyway, type FlatRule } from "../model/tool.js";
export {
  DEFAULT_FLOW,
  choosePolicy,
  listToolsetMembers,
  wholeToolset,
  type NeededExtension,
  listNeeded,
  printSome,
} from "../model/toolset-members.js";
export { readFreeText, takesBareText } from "../free-text/input.js";
export type { SpecTest } from "../model/tool-spec.js";
