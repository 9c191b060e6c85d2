import type { Rule } from "./rule.js";

/** Every rule that hasp knows, by id. */
export const rules: readonly Rule[] = [];
