import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import type { ImportedTool } from "../../../../import/src/importers/specs/imported-source.js";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import { ownMember } from "../../../../compiler/src/model/own.js";

/** Names the tool whose entry of the source a finding is about. */
export function withTool(
  { uri, value }: LoadedDocument,
  tools: readonly ImportedTool[],
): (diagnostic: Diagnostic) => Diagnostic {
  const places = tools.map((tool) => ({ name: tool.name, location: tool.locate() }));
  return (diagnostic) => {
    const { tool, location } = diagnostic;
    if (tool !== undefined || location?.uri !== uri) return diagnostic;
    const found = places.find(
      (place) => place.location.uri === uri && `${location.pointer}/`.startsWith(`${place.location.pointer}/`),
    );
    const [, list = "", index = ""] = location.pointer.split("/");
    const entries = ownMember(value, list);
    const name =
      found?.name ?? (Array.isArray(entries) ? ownMember(entries[Number(index)] ?? null, "name") : undefined);
    return typeof name === "string" ? { ...diagnostic, tool: name } : diagnostic;
  };
}

/** Replaces the location of findings about a document that is not a file by words. */
export function withoutFile(uri: string): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => {
    const { location, related: _related, tool, message, ...others } = diagnostic;
    if (location?.uri !== uri) return diagnostic;
    const place = [
      ...(tool === undefined ? [] : [`tool "${tool}"`]),
      ...(location.pointer === "" ? [] : [location.pointer]),
    ];
    const prefix = place.length === 0 ? "" : `${place.join(", ")}: `;
    return { ...others, ...(tool === undefined ? {} : { tool }), message: `${prefix}${message}` };
  };
}
