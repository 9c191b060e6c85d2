import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import type { PermissionDecision, PermissionMode } from "@hasp/runtime";
import type { ExpressionPredicate } from "./conditions.js";
import type { LoadedDocument } from "./document.js";
import type { FlatTool } from "./tool.js";

/** A policy exactly as its author wrote it; `schema/policy.schema.json` says the same. */
export interface PolicySpec {
  readonly description?: string;
  readonly context?: { readonly [name: string]: JsonObject };
  readonly deny?: readonly string[];
  readonly rules?: readonly PolicyRuleSpec[];
  readonly mode?: PermissionMode;
  readonly tests?: readonly PolicyTest[];
}

export interface PolicyRuleSpec {
  readonly tool: string;
  readonly server?: string;
  readonly when?: string;
  readonly decision: PermissionDecision;
  readonly reason?: string;
  /** Waives the question about private data that may leave a conversation. */
  readonly flow?: "allow";
}

export interface PolicyTest {
  readonly tool: string;
  readonly input: JsonValue;
  readonly context?: JsonObject;
  readonly expect: PermissionDecision;
}

export interface PolicyRule extends PolicyRuleSpec {
  readonly index: number;
  readonly predicate?: ExpressionPredicate;
  /** The schema of the call that the condition reads: `{ input, context }`. */
  readonly call?: JsonSchema;
}

/** A policy of one toolset, compiled. */
export interface PolicyModel {
  readonly toolset: string;
  /** Its name in the ledger: `support.policy` for `policies/support.yaml`. */
  readonly name: string;
  readonly document: LoadedDocument;
  readonly spec: PolicySpec;
  readonly rules: readonly PolicyRule[];
  readonly tools: readonly FlatTool[];
  readonly context: JsonSchema;
}
