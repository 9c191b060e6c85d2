import type { JsonObject } from "@hasp/schema";
import type { FlatTool } from "../../model/tool.js";
import { findDeclaredEffects } from "./declared-effects.js";

/** Returns the claims that a declared handler supports, as fields of `suggested`. */
export function listSupportedClaims(tool: FlatTool): JsonObject {
  const effects = findDeclaredEffects(tool)?.effects ?? [];
  if (effects.length === 0) return {};
  if (effects.every(({ verdict }) => verdict === "reads")) return { class: "READ_ONLY" };
  return effects.every(({ idempotent }) => idempotent === true) ? { isIdempotent: true } : {};
}
