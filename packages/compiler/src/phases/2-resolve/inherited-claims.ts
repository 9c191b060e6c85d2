import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { escapeToken, pointerTokens } from "../../model/json-pointer.js";
import type { ToolModel } from "../../model/tool.js";
import { resolveDiagnostics } from "./diagnostics.js";

/**
 * Finds claims that come from a YAML alias. A relaxation is never inherited: a change of the anchor would loosen every
 * tool that repeats it.
 */
export function findInheritedClaims(tool: ToolModel): readonly Diagnostic[] {
  // Whether a text has an alias at all is known without parsing it again.
  if (!ALIAS.test(tool.document.text)) return [];
  const pointers = new Set(
    tool.relaxations.flatMap(({ pointer }) => [...prefixesOf(pointer), ...pointersInside(tool.spec, pointer)]),
  );
  return (
    [...pointers]
      .map((pointer) => tool.locate(pointer))
      // Only an alias begins with an asterisk in YAML.
      .filter((location) => tool.document.text.charAt(location.range.start.offset) === "*")
      .map((location) => resolveDiagnostics("inherited-claim", location, undefined, { tool: tool.name }))
  );
}

/** Matches a possible YAML alias. */
const ALIAS = /\*\S/u;

/** A pointer and those of its ancestors: `""`, `/a`, `/a/b` for `/a/b`. */
function prefixesOf(pointer: string): readonly string[] {
  const segments = pointer.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** The pointers of everything inside the value at a pointer of a spec, such as the flags of a row. */
function pointersInside(spec: object, pointer: string): readonly string[] {
  let value: unknown = spec;
  for (const token of pointerTokens(pointer)) value = Object(value)[token];
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const inside = `${pointer}/${escapeToken(key)}`;
    return [inside, ...pointersInside(spec, inside)];
  });
}
