import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { FlatTool } from "../model/tool.js";
import { diffDiagnostics } from "./diagnostics.js";

/** Finds changed conditions for finding a tool: a gate, a user, a search. */
export function compareVisibility(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const details = { tool: after.name };
  const [gate, now] = [before, after].map(({ spec }) => spec.visibility?.featureGate);
  if (gate !== undefined && gate !== now) {
    const location = after.locate(now === undefined ? "/name" : "/visibility/featureGate");
    found.push(diffDiagnostics("gate-gone", location, { gate }, details));
  }
  if (now !== undefined && gate !== now) {
    found.push(diffDiagnostics("gate-added", after.locate("/visibility/featureGate"), { gate: now }, details));
  }
  const [wantedUser, wantsUser] = [before, after].map(({ metadata }) => metadata.behavior.requiresUserInteraction);
  if (wantsUser === true && wantedUser !== true) {
    found.push(
      diffDiagnostics("interaction-added", after.locate("/behavior/requiresUserInteraction"), undefined, details),
    );
  }
  const [wasDeferred, isDeferred] = [before, after].map(({ metadata }) => metadata.visibility.shouldDefer);
  if (isDeferred === true && wasDeferred !== true) {
    found.push(diffDiagnostics("deferred", after.locate("/visibility/shouldDefer"), undefined, details));
  }
  return found;
}
