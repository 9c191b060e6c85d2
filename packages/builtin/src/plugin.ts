import { plainData, type BuiltInPlugin } from "@hasp/compiler/plugins";
import { emitFiles } from "./emitters/assemble.js";
import { keepShares } from "./emitters/prepare.js";
import { lintPolicies } from "./lint-policies.js";
import { rules } from "./rules/index.js";

/** The rules and emitters of hasp, whose names have no prefix. */
export const builtin: BuiltInPlugin = {
  name: "hasp",
  rules,
  lintPolicies,
  emit: {
    emitFiles,
    keeping: { "Sharing definitions": keepShares, "Emitting tools": plainData, "Formatting files": plainData },
  },
};
