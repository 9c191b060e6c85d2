import type { DiagnosticParameters } from "@hasp/schema/internal/diagnostics";
import type { FlatTool } from "../../../model/tool.js";
import type { CompilePlan } from "../../../model/plan.js";
import type { HandlerFindings } from "./diagnostics.js";

/** What of the plan declarations depend on. */
export type HandlerPlan = Pick<
  CompilePlan,
  "connections" | "context" | "contextMembers" | "locations" | "missingPeers"
>;

/** Reports a finding at a JSON Pointer inside a declaration; `span` is a part of a text there, in UTF-16 units. */
export type ReportHandler = <Name extends keyof HandlerFindings & string>(
  name: Name,
  at: string,
  parameters: DiagnosticParameters<HandlerFindings[Name]>,
  span?: { readonly start: number; readonly end: number },
) => void;

/** Findings about a connection of the configuration. */
type ConnectionFinding = "base-url" | "private-address" | "key-of-server";

/** Reports a finding about a connection, at its place in the configuration. */
export type ReportConnection = <Name extends ConnectionFinding>(
  name: Name,
  parameters: DiagnosticParameters<HandlerFindings[Name]>,
) => void;

/** What the check of a kind looks at beside the declaration. */
export type CheckedTool = Pick<FlatTool, "name" | "spec" | "input">;
