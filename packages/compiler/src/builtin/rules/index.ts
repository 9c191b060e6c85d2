// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { alwaysLoaded } from "./size/always-loaded.js";
import { boundInProse } from "./schema/bound-in-prose.js";
import { claimContradictsHandler } from "./fail-closed/claim-contradicts-handler.js";
import { conditionInProse } from "./schema/condition-in-prose.js";
import { constantReadOnlyProgram } from "./safety/constant-read-only-program.js";
import { contextInIsolation } from "./safety/context-in-isolation.js";
import { deepNesting } from "./schema/deep-nesting.js";
import { defaultInProse } from "./schema/default-in-prose.js";
import { deferredWithoutHint } from "./size/deferred-without-hint.js";
import { deprecatedTool } from "./description/deprecated-tool.js";
import { duplicate } from "./description/duplicate.js";
import { enumInProse } from "./schema/enum-in-prose.js";
import { formatInProse } from "./schema/format-in-prose.js";
import { hiddenText } from "./supply-chain/hidden-text.js";
import { inNoToolset } from "./providers/in-no-toolset.js";
import { instructionLikeText } from "./supply-chain/instruction-like-text.js";
import { invalidExample } from "./schema/invalid-example.js";
import { invalidOutputExample } from "./schema/invalid-output-example.js";
import { jsonInString } from "./schema/json-in-string.js";
import { longDescription } from "./size/long-description.js";
import { manyAlwaysLoaded } from "./size/many-always-loaded.js";
import { manyOptionalFields } from "./schema/many-optional-fields.js";
import { mcpHeader } from "./providers/mcp-header.js";
import { mixedCase } from "./naming/mixed-case.js";
import { nameContradictsClaim } from "./safety/name-contradicts-claim.js";
import { oneLetterParameter } from "./naming/one-letter-parameter.js";
import { overBudget } from "./size/over-budget.js";
import { permissionWithoutEffect } from "./safety/permission-without-effect.js";
import { programPattern } from "./fail-closed/program-pattern.js";
import { renamedKey } from "./providers/renamed-key.js";
import { repeatedItem } from "./schema/repeated-item.js";
import { repeatsName } from "./description/repeats-name.js";
import { requiredWithDefault } from "./schema/required-with-default.js";
import { retriesWithoutIdempotence } from "./safety/retries-without-idempotence.js";
import { retriesWithoutRetryableError } from "./safety/retries-without-retryable-error.js";
import { rowNeverMatches } from "./safety/row-never-matches.js";
import { rowShadowed } from "./safety/row-shadowed.js";
import { rowStricter } from "./safety/row-stricter.js";
import { secretInText } from "./supply-chain/secret-in-text.js";
import { secretInput } from "./safety/secret-input.js";
import { sharedGateConstant } from "./naming/shared-gate-constant.js";
import { similarNames } from "./naming/similar-names.js";
import { unboundedLimit } from "./size/unbounded-limit.js";
import { undecidedInterrupt } from "./safety/undecided-interrupt.js";
import { undeclaredResultSize } from "./size/undeclared-result-size.js";
import { undescribedParameter } from "./description/undescribed-parameter.js";
import { unknownContextField } from "./naming/unknown-context-field.js";
import { unknownFormat } from "./schema/unknown-format.js";
import { unknownToolMention } from "./description/unknown-tool-mention.js";
import { unsafeWithoutIsolation } from "./safety/unsafe-without-isolation.js";
import { untestedRow } from "./safety/untested-row.js";
import { unusedDefinition } from "./schema/unused-definition.js";
import { vagueName } from "./naming/vague-name.js";
import { whenNotToUse } from "./description/when-not-to-use.js";
import { whenToUse } from "./description/when-to-use.js";
import type { Rule } from "../../plugins/rule.js";

/** Every rule that hasp knows, in the order of their files. */
export const rules: readonly Rule[] = [
  alwaysLoaded,
  boundInProse,
  claimContradictsHandler,
  conditionInProse,
  constantReadOnlyProgram,
  contextInIsolation,
  deepNesting,
  defaultInProse,
  deferredWithoutHint,
  deprecatedTool,
  duplicate,
  enumInProse,
  formatInProse,
  hiddenText,
  inNoToolset,
  instructionLikeText,
  invalidExample,
  invalidOutputExample,
  jsonInString,
  longDescription,
  manyAlwaysLoaded,
  manyOptionalFields,
  mcpHeader,
  mixedCase,
  nameContradictsClaim,
  oneLetterParameter,
  overBudget,
  permissionWithoutEffect,
  programPattern,
  renamedKey,
  repeatedItem,
  repeatsName,
  requiredWithDefault,
  retriesWithoutIdempotence,
  retriesWithoutRetryableError,
  rowNeverMatches,
  rowShadowed,
  rowStricter,
  secretInText,
  secretInput,
  sharedGateConstant,
  similarNames,
  unboundedLimit,
  undecidedInterrupt,
  undeclaredResultSize,
  undescribedParameter,
  unknownContextField,
  unknownFormat,
  unknownToolMention,
  unsafeWithoutIsolation,
  untestedRow,
  unusedDefinition,
  vagueName,
  whenNotToUse,
  whenToUse,
];
