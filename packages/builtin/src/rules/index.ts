// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { alwaysLoaded, deferredWithoutHint, manyAlwaysLoaded } from "./size/loading.js";
import { boundInProse, conditionInProse, defaultInProse, enumInProse, formatInProse } from "./schema/in-prose.js";
import { claimContradictsHandler, programPattern, rowStricter } from "./fail-closed.js";
import { constantReadOnlyProgram, nameContradictsClaim, permissionWithoutEffect } from "./safety/claims.js";
import { contextInIsolation, unsafeWithoutIsolation } from "./safety/isolation.js";
import { deepNesting, manyOptionalFields } from "./schema/complexity.js";
import { deprecatedTool, unknownToolMention } from "./description/mentions.js";
import { duplicate, repeatsName } from "./description/repetition.js";
import { emptyWords, undescribedParameter } from "./description/emptiness.js";
import { hiddenText, instructionLikeText, secretInText } from "./supply-chain.js";
import { inNoToolset, mcpClient, mcpHeader, renamedKey } from "./providers.js";
import { invalidExample, invalidOutputExample } from "./schema/examples.js";
import { jsonInString, repeatedItem, requiredWithDefault, unknownFormat } from "./schema/keywords.js";
import { keyWithoutWriter, rowNeverMatches, rowShadowed, untestedRow } from "./safety/rows.js";
import { longDescription, overBudget } from "./size/budget.js";
import { mixedCase, oneLetterParameter } from "./naming/parameter-names.js";
import { noSemanticCheck, uncheckedReader } from "./safety/semantic-check.js";
import { retriesWithoutIdempotence, retriesWithoutRetryableError, undecidedInterrupt } from "./safety/limits.js";
import { secretInput } from "./safety/secret-input.js";
import { sharedGateConstant, unknownContextField } from "./naming/code-names.js";
import { similarNames, vagueName } from "./naming/tool-names.js";
import { unboundedLimit, undeclaredResultSize } from "./size/results.js";
import { unusedDefinition } from "./schema/unused-definition.js";
import { whenNotToUse, whenToUse } from "./description/when-to-use.js";
import type { Rule } from "@hasp/compiler/plugin";

/** Every rule that hasp knows, by name. */
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
  emptyWords,
  enumInProse,
  formatInProse,
  hiddenText,
  inNoToolset,
  instructionLikeText,
  invalidExample,
  invalidOutputExample,
  jsonInString,
  keyWithoutWriter,
  longDescription,
  manyAlwaysLoaded,
  manyOptionalFields,
  mcpClient,
  mcpHeader,
  mixedCase,
  nameContradictsClaim,
  noSemanticCheck,
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
  uncheckedReader,
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
