import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "@hasp/base/diagnostics";
import { pickMembers, toObject, dropUndefined, isObject, unescapeToken } from "@hasp/base/json";
import { makeBuildable, type AppliedRemedy, type ToolDraft } from "../buildable/make-buildable.js";
import type { Definition, FinishedStock, Role } from "../translation/definition-stock.js";
import { importDiagnostics } from "../source/diagnostics.js";
import type { ImportedSource, ImportedTool, ImportSource } from "../source/importer.js";
import { removeSecrets } from "../specs/remove-secrets.js";
import { createSharedFile, createSharedFileName } from "../specs/imported-part.js";
import { createSpec, type SourceTool } from "../specs/source-tool.js";
import { createSpecFileName } from "../specs/names.js";
import type { SourceEntry } from "./source-entry.js";

export type Needs = { readonly [role in Role]: Set<Definition> };

export interface ReadEntry {
  readonly entry: SourceEntry;
  readonly tool: SourceTool;
  readonly needs: Needs;
}

interface WriteSettings {
  readonly source: ImportSource;
  readonly kind: string;
  readonly names: ReadonlyMap<string, string>;
}

/** Creates the specs and the shared file. Refuses tools with missing definitions, and tools that no build accepts. */
export function writeTools(
  read: readonly ReadEntry[],
  { value: stock, diagnostics: ofDefinitions }: Found<FinishedStock>,
  { source, kind, names }: WriteSettings,
): Found<ImportedSource> {
  const { document } = source;
  const { prefix = "" } = source.settings ?? {};
  const diagnostics: Diagnostic[] = [...ofDefinitions];
  const refused: string[] = [];
  const byName = new Map(read.map((each) => [each.entry.name, each]));
  const locate = (name: string): Location => {
    const entry = byName.get(name)?.entry;
    return entry === undefined ? document.locate("") : (entry.document ?? document).locate(entry.pointer);
  };

  const file = createSharedFileName(source.name);
  const drafts = new Map<string, ToolDraft>();
  for (const { entry, tool, needs } of read) {
    const { name } = entry;
    const missing = stock.missing(needs.input);
    if (missing !== undefined) {
      const parameters = { tool: name, definition: missing.authored };
      diagnostics.push(importDiagnostics("needs-missing", locate(name), parameters, { tool: name }));
      refused.push(name);
      continue;
    }
    const missingOutput = stock.missing(needs.output);
    if (missingOutput !== undefined) {
      const parameters = { tool: name, definition: missingOutput.authored };
      diagnostics.push(importDiagnostics("output-missing", locate(name), parameters, { tool: name }));
    }
    const final = (schema: JsonValue): JsonValue => stock.resolvePlaceholders(schema, `./${file}`);
    const output = tool.output === undefined || missingOutput !== undefined ? undefined : final(tool.output);
    drafts.set(name, { input: final(tool.input), output });
  }
  const whole = makeBuildable(drafts, stock.definitionsFor(needsOf(drafts)), file);
  for (const [tool, problem] of whole.refused) {
    diagnostics.push(importDiagnostics("not-buildable", locate(tool), { tool, problem }, { tool }));
    refused.push(tool);
  }
  for (const [tool, problem] of whole.withoutOutput) {
    diagnostics.push(importDiagnostics("output-not-buildable", locate(tool), { tool, problem }, { tool }));
  }

  const needed = new Set(Object.keys(stock.definitionsFor(needsOf(whole.drafts))));
  const { value: cleaned, removed } = removeSecrets({
    $defs: pickMembers(whole.definitions, (name) => needed.has(name)),
  });
  const shared = createSharedFile(kind, source.name, toObject(cleaned["$defs"]));
  for (const change of whole.changes) {
    if (change.tool === undefined ? isIn(change, shared?.content) : whole.drafts.has(change.tool)) {
      diagnostics.push(diagnosticOf(change));
    }
  }
  if (removed > 0 && shared !== undefined) {
    diagnostics.push(
      importDiagnostics("secret-removed", document.locate(""), { tool: shared.fileName, count: removed }),
    );
  }

  const files = new Set<string>();
  const tools: ImportedTool[] = [];
  for (const [label, draft] of whole.drafts) {
    const found = byName.get(label);
    if (found === undefined) continue;
    const { entry, tool } = found;
    const name = names.get(prefix + label) ?? label;
    const fileName = createSpecFileName(name, (candidate) => files.has(candidate));
    files.add(fileName.slice(0, -".tool.yaml".length).toLowerCase());
    const at = (pointer: string): Location => (entry.document ?? document).locate(entry.pointer + pointer);
    const spec = createSpec(
      { ...tool, ...draft },
      {
        kind,
        source: source.name,
        name,
        wanted: prefix + label,
        fileName,
        isOpen: whole.open.has(label),
        locate: at,
      },
    );
    diagnostics.push(...spec.diagnostics);
    tools.push(spec.value);
  }
  return { value: { tools, refused, ...dropUndefined({ shared }) }, diagnostics };

  function needsOf(some: ReadonlyMap<string, ToolDraft>): readonly Definition[] {
    return [...some].flatMap(([name, { output }]) => {
      const needs = byName.get(name)?.needs;
      return needs === undefined ? [] : [...needs.input, ...(output === undefined ? [] : needs.output)];
    });
  }

  function diagnosticOf({ remedy, tool, pointer }: AppliedRemedy): Diagnostic {
    if (tool !== undefined) {
      const owner = names.get(prefix + tool) ?? tool;
      return importDiagnostics("loosened", locate(tool), { variant: remedy, pointer, owner }, { tool });
    }
    const { name, rest } = inDefinition(pointer);
    const location = stock.locate(name, rest) ?? document.locate("");
    return importDiagnostics("loosened", location, { variant: remedy, pointer, owner: file });
  }
}

function isIn({ pointer }: AppliedRemedy, content: JsonObject | undefined): boolean {
  const definitions = content?.["$defs"];
  return isObject(definitions) && Object.hasOwn(definitions, inDefinition(pointer).name);
}

function inDefinition(pointer: string): { readonly name: string; readonly rest: string } {
  const [, , token = "", ...rest] = pointer.split("/");
  return { name: unescapeToken(token), rest: rest.map((each) => `/${each}`).join("") };
}
