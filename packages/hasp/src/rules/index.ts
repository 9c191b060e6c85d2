// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import { alwaysLoaded } from "./always-loaded.js";
import { constantReadOnlyProgram } from "./constant-read-only-program.js";
import { deferredWithoutHint } from "./deferred-without-hint.js";
import { hiddenText } from "./hidden-text.js";
import { inNoToolset } from "./in-no-toolset.js";
import { instructionLikeText } from "./instruction-like-text.js";
import { invalidExample } from "./invalid-example.js";
import { manyOptionalFields } from "./many-optional-fields.js";
import { overBudget } from "./over-budget.js";
import { permissionWithoutEffect } from "./permission-without-effect.js";
import { programPattern } from "./program-pattern.js";
import { renamedKey } from "./renamed-key.js";
import { repeatedItem } from "./repeated-item.js";
import { retriesWithoutIdempotence } from "./retries-without-idempotence.js";
import { rowNeverMatches } from "./row-never-matches.js";
import { rowShadowed } from "./row-shadowed.js";
import { rowStricter } from "./row-stricter.js";
import { secretInText } from "./secret-in-text.js";
import { secretInput } from "./secret-input.js";
import { similarNames } from "./similar-names.js";
import { slowPattern } from "./slow-pattern.js";
import { undecidedInterrupt } from "./undecided-interrupt.js";
import { undeclaredResultSize } from "./undeclared-result-size.js";
import { undescribedParameter } from "./undescribed-parameter.js";
import { unknownFormat } from "./unknown-format.js";
import { unknownToolMention } from "./unknown-tool-mention.js";
import { unsafeWithoutIsolation } from "./unsafe-without-isolation.js";
import { unusedDefinition } from "./unused-definition.js";
import { vagueName } from "./vague-name.js";
import { whenNotToUse } from "./when-not-to-use.js";
import { whenToUse } from "./when-to-use.js";
import type { Rule } from "./rule.js";

/** Every rule that hasp knows, in the order of their files. */
export const rules: readonly Rule[] = [
  alwaysLoaded,
  constantReadOnlyProgram,
  deferredWithoutHint,
  hiddenText,
  inNoToolset,
  instructionLikeText,
  invalidExample,
  manyOptionalFields,
  overBudget,
  permissionWithoutEffect,
  programPattern,
  renamedKey,
  repeatedItem,
  retriesWithoutIdempotence,
  rowNeverMatches,
  rowShadowed,
  rowStricter,
  secretInText,
  secretInput,
  similarNames,
  slowPattern,
  undecidedInterrupt,
  undeclaredResultSize,
  undescribedParameter,
  unknownFormat,
  unknownToolMention,
  unsafeWithoutIsolation,
  unusedDefinition,
  vagueName,
  whenNotToUse,
  whenToUse,
];
