import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "../diagnostics/diagnostic.js";
import { importDiagnostics } from "./diagnostics.js";
import type { ImportedList, ImportedTool } from "./imported-tool.js";
import { importedDigest } from "./imported-part.js";
import type { Importer } from "./importer.js";
import { freeName, specFileName, validToolName } from "./tool-names.js";
import { translateSchema } from "./translate-schema.js";

const NOTHING: ImportedList = { tools: [], refused: [] };
const TOOL_KEYS: ReadonlySet<string> = new Set(["name", "title", "description", "inputSchema", "outputSchema", "annotations"]);

/**
 * Reads the result of MCP's `tools/list`, or a bare array of its tools. What the annotations claim becomes `suggested`,
 * which nothing reads: a spec that was imported is as strict as one that says nothing.
 */
export const importMcpList: Importer = (document) => {
  const list = toolsOf(document.value);
  if (list === undefined) return { value: NOTHING, diagnostics: [importDiagnostics("no-list", document.locate(""), undefined)] };
  if (list.tools.length === 0) {
    return { value: NOTHING, diagnostics: [importDiagnostics("no-tools", document.locate(list.pointer), undefined)] };
  }
  const diagnostics: Diagnostic[] = [];
  const tools: ImportedTool[] = [];
  const refused: string[] = [];
  const names = namesInSpecs(list.tools);
  const files = new Set<string>();
  for (const [index, source] of list.tools.entries()) {
    const pointer = `${list.pointer}/${index}`;
    const name = names.get(index);
    if (!isObject(source) || name === undefined) {
      const isTwice = isObject(source) && typeof source["name"] === "string" && source["name"] !== "";
      diagnostics.push(
        isTwice
          ? importDiagnostics("name-twice", document.locate(`${pointer}/name`), { name: String(source["name"]) })
          : importDiagnostics("not-a-tool", document.locate(pointer), undefined),
      );
      refused.push(isTwice ? String(source["name"]) : `entry ${index}`);
      continue;
    }
    const imported = importTool(source, name, (inner) => document.locate(pointer + inner));
    diagnostics.push(...imported.diagnostics);
    if (imported.value === undefined) {
      refused.push(String(source["name"]));
      continue;
    }
    const fileName = specFileName(name, (candidate) => files.has(candidate));
    files.add(fileName.slice(0, -".tool.yaml".length).toLowerCase());
    tools.push({ name, fileName, spec: imported.value, pointer });
  }
  return { value: { tools, refused }, diagnostics };
};

function toolsOf(value: JsonValue): { readonly tools: readonly JsonValue[]; readonly pointer: string } | undefined {
  if (isArray(value)) return { tools: value, pointer: "" };
  if (!isObject(value)) return undefined;
  const { tools, result } = value;
  if (tools !== undefined && isArray(tools)) return { tools, pointer: "/tools" };
  // A whole JSON-RPC answer, as a log holds it.
  if (isObject(result) && result["tools"] !== undefined && isArray(result["tools"])) return { tools: result["tools"], pointer: "/result/tools" };
  return undefined;
}

/** The name of each entry's spec, by index: valid names stay what they are, changed ones make way for them. */
function namesInSpecs(tools: readonly JsonValue[]): ReadonlyMap<number, string> {
  const sourceNames = new Map<string, number>();
  for (const [index, tool] of tools.entries()) {
    const name = isObject(tool) ? tool["name"] : undefined;
    if (typeof name === "string" && name !== "" && !sourceNames.has(name)) sourceNames.set(name, index);
  }
  const taken = new Set([...sourceNames.keys()].filter((name) => validToolName(name) === name));
  const result = new Map<number, string>();
  for (const [name, index] of sourceNames) {
    const valid = taken.has(name) ? name : freeName(validToolName(name), (candidate) => taken.has(candidate));
    taken.add(valid);
    result.set(index, valid);
  }
  return result;
}

function importTool(source: JsonObject, name: string, locate: (pointer: string) => Location): Found<JsonObject | undefined> {
  const original = String(source["name"]);
  const diagnostics: Diagnostic[] = [];
  const { description, inputSchema, outputSchema } = source;
  if (inputSchema === undefined) {
    return { value: undefined, diagnostics: [importDiagnostics("no-schema", locate(""), { tool: original }, { tool: original })] };
  }
  const translate = (schema: JsonValue, role: "input" | "output"): JsonValue | undefined => {
    const at = (inner: string): Location => locate(`/${role}Schema${inner}`);
    const translation = translateSchema(schema, { tool: original, role, locate: at });
    diagnostics.push(...translation.diagnostics.map((diagnostic) => ({ ...diagnostic, tool: original })));
    return translation.value;
  };
  const input = translate(inputSchema, "input");
  const output = outputSchema === undefined || outputSchema === null ? undefined : translate(outputSchema, "output");
  if (diagnostics.some(({ severity }) => severity === "error") || input === undefined) return { value: undefined, diagnostics };

  if (name !== original) {
    diagnostics.push(importDiagnostics("renamed", locate("/name"), { from: original, to: name }, { tool: original }));
  }
  const isDescribed = typeof description === "string" && description.trim() !== "";
  if (!isDescribed) diagnostics.push(importDiagnostics("no-description", locate(""), { tool: original }, { tool: original }));
  const hints = readHints(source["annotations"], locate);
  diagnostics.push(...hints.diagnostics.map((diagnostic) => ({ ...diagnostic, tool: original })));
  const title = [source["title"], hints.title].find((text) => typeof text === "string" && text !== "");

  const entries: (readonly [string, JsonValue | undefined])[] = [
    ["hasp", 1],
    ["name", name],
    ["title", title],
    ["description", isDescribed ? description : ""],
    ["input", input],
    ["output", output],
    ["suggested", hints.suggested],
    ...Object.entries(source)
      .filter(([key]) => !TOOL_KEYS.has(key))
      .map(([key, value]): readonly [string, JsonValue] => [key.startsWith("x-") ? key : `x-imported-${key}`, value]),
  ];
  const imported = Object.fromEntries(entries.filter(isPresent));
  const { annotations } = source;
  const origin: JsonObject = {
    kind: "mcp-list",
    name: original,
    ...(isObject(annotations) ? { annotations } : {}),
    digest: importedDigest(imported),
  };
  return { value: { ...imported, origin }, diagnostics };
}

/** What MCP's annotations claim, in the words of a spec. A hint that only repeats a strict default suggests nothing. */
function readHints(
  annotations: JsonValue | undefined,
  locate: (pointer: string) => Location,
): { readonly suggested: JsonObject | undefined; readonly title: JsonValue | undefined; readonly diagnostics: readonly Diagnostic[] } {
  if (!isObject(annotations)) return { suggested: undefined, title: undefined, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const hints = new Map<string, boolean>();
  for (const [name, value] of Object.entries(annotations)) {
    if (HINTS.has(name) && typeof value === "boolean") hints.set(name, value);
    else if (name !== "title") diagnostics.push(importDiagnostics("unknown-hint", locate(`/annotations/${name}`), { name }));
  }
  const claims: [string, JsonValue][] = [];
  if (hints.get("readOnlyHint") === true) {
    // Read-only, not destructive, idempotent: the class entails them all.
    claims.push(["class", "READ_ONLY"]);
  } else {
    if (hints.get("destructiveHint") === false) claims.push(["isDestructive", false]);
    if (hints.get("idempotentHint") === true) claims.push(["isIdempotent", true]);
  }
  if (hints.get("openWorldHint") === false) claims.push(["isOpenWorld", false]);
  const suggested = claims.length === 0 ? undefined : { from: "annotations", ...Object.fromEntries(claims) };
  return { suggested, title: annotations["title"], diagnostics };
}

const HINTS: ReadonlySet<string> = new Set(["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]);

function isPresent(entry: readonly [string, JsonValue | undefined]): entry is readonly [string, JsonValue] {
  return entry[1] !== undefined;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
