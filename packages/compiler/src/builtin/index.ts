import { plainData } from "../context/keeping.js";
import type { BuiltInPlugin } from "../context/plugins.js";
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
