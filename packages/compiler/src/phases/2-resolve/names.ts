import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { ToolModel } from "../../model/tool.js";
import { resolveDiagnostics } from "./diagnostics.js";
import { isReservedName } from "../../model/reserved-names.js";

/** Finds names and aliases that are reserved or used twice in the project. */
export function findNameConflicts(tools: readonly ToolModel[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const named = new Map<string, ToolModel>();
  for (const tool of tools) {
    const earlier = named.get(tool.name);
    if (earlier === undefined) named.set(tool.name, tool);
    else {
      const related = [{ location: earlier.locate("/name"), message: "the first one" }];
      diagnostics.push(
        resolveDiagnostics("duplicate-name", tool.locate("/name"), { name: tool.name }, { tool: tool.name, related }),
      );
    }
    if (isReservedName(tool.name)) {
      diagnostics.push(
        resolveDiagnostics("reserved-name", tool.locate("/name"), { name: tool.name }, { tool: tool.name }),
      );
    }
  }

  const claimed = new Map<string, { readonly tool: ToolModel; readonly pointer: string }>();
  for (const tool of tools) {
    for (const [index, alias] of (tool.spec.aliases ?? []).entries()) {
      const pointer = `/aliases/${index}`;
      const owner = named.get(alias);
      const earlier = claimed.get(alias);
      if (isReservedName(alias)) {
        diagnostics.push(
          resolveDiagnostics("reserved-name", tool.locate(pointer), { name: alias }, { tool: tool.name }),
        );
      }
      if (owner !== undefined) {
        const related = [{ location: owner.locate("/name"), message: "the tool of that name" }];
        diagnostics.push(
          resolveDiagnostics("alias-is-a-tool", tool.locate(pointer), { alias }, { tool: tool.name, related }),
        );
      } else if (earlier !== undefined) {
        const related = [{ location: earlier.tool.locate(earlier.pointer), message: "the first claim" }];
        const parameters = { alias, owner: earlier.tool.name };
        diagnostics.push(
          resolveDiagnostics("duplicate-alias", tool.locate(pointer), parameters, { tool: tool.name, related }),
        );
      } else claimed.set(alias, { tool, pointer });
    }
  }
  return diagnostics;
}
