import { plainData } from "../context/keeping.js";
import type { BuiltInPlugin } from "../context/plugins.js";
import { emitFiles } from "./emitters/assemble.js";
import { keepShares } from "./emitters/prepare.js";
import { command, http, mcp as mcpKind, sql } from "./handlers/kinds.js";
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

/** The kinds of declared handlers that `@hasp/handlers` runs. */
export const handlers: BuiltInPlugin = { name: "handlers", handlerKinds: [http, sql, command] };

/** Tools of MCP servers as declared handlers. */
export const mcp: BuiltInPlugin = { name: "mcp", handlerKinds: [mcpKind] };
