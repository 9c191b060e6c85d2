import type { DiagnosticParameters } from "@hasp/schema/internal/diagnostics";
import type { FlatTool } from "../../../model/tool.js";
import type { CompilePlan } from "../../../model/plan.js";
import type { HandlerFindings } from "./diagnostics.js";

/** The settings on which declarations depend. */
export type HandlerPlan = Pick<
  CompilePlan,
  "connections" | "context" | "contextMembers" | "locations" | "missingPeers"
>;

/** Reports a finding at a JSON Pointer inside a declaration; `span` is part of a string there, in UTF-16 units. */
export type ReportHandler = <Name extends keyof HandlerFindings & string>(
  name: Name,
  at: string,
  parameters: DiagnosticParameters<HandlerFindings[Name]>,
  span?: { readonly start: number; readonly end: number },
) => void;

type ConnectionFinding = "base-url" | "private-address" | "key-of-server";

export type ReportConnection = <Name extends ConnectionFinding>(
  name: Name,
  parameters: DiagnosticParameters<HandlerFindings[Name]>,
) => void;

/** The parts of a tool that a kind checks beside the declaration. */
export type DeclaringTool = Pick<FlatTool, "name" | "spec" | "input">;
