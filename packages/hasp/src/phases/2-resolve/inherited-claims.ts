import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { ToolModel } from "../../model/tool.js";
import { resolveDiagnostics } from "./diagnostics.js";

/**
 * Claims that a spec takes over by a YAML alias. A relaxation is never inherited: who changes the anchor would loosen
 * every tool that repeats it.
 */
export function findInheritedClaims(tool: ToolModel): readonly Diagnostic[] {
  const places = new Set(tool.relaxations.flatMap(({ pointer }) => prefixesOf(pointer)));
  return (
    [...places]
      .map((pointer) => tool.locate(pointer))
      // No other value of YAML begins with an asterisk.
      .filter((location) => tool.document.text.charAt(location.range.start.offset) === "*")
      .map((location) => resolveDiagnostics("inherited-claim", location, undefined, { tool: tool.name }))
  );
}

/** The pointer and those of all that encloses it: `""`, `/a`, `/a/b` for `/a/b`. */
function prefixesOf(pointer: string): readonly string[] {
  const segments = pointer.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
