import type { JsonSchema, Origin, SchemaDiagnostic } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { hasErrors } from "../../diagnostics/severity.js";
import type { LoadedDocument } from "../../model/document.js";
import type { RefusedTool } from "../2-resolve/index.js";
import { type Documents, linkedDocuments } from "../2-resolve/linked-documents.js";
import { once } from "../../model/once.js";
import type { FlatSchema, FlatTool, ToolModel } from "../../model/tool.js";
import { flattenDiagnostics } from "./diagnostics.js";
import { flatPart } from "./flat-part.js";
import { createFlatSchema, locateOrigin } from "./flat-schema.js";
import { findUnhidden } from "./hide-bound.js";
import { takesOnlyObjects } from "./input-root.js";
import { type FlatFacts, LazyFlatTool } from "./lazy-flat-tool.js";
import { findOpenInputs } from "./open-inputs.js";
import { findUnknownPlaceholders } from "./placeholders.js";
import { compileConditions } from "./predicates.js";
import { worstCaseOf } from "./worst-case.js";
import { counted, ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

/** Flattens every schema, closes every input and compiles the conditions. Drops tools with an unusable schema. */
export function flatten(
  tools: readonly ToolModel[],
  documents: readonly LoadedDocument[],
  onProgress: OnProgress = ignoreProgress,
): Found<readonly FlatTool[]> {
  const linked = linkedDocuments(documents);
  const value: FlatTool[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const tool of counted(tools, "Flattening tools", onProgress)) {
    const found = tool.facts.live("flat", () => flatTool(tool, linked(tool.document)));
    if (found.value !== undefined) value.push(found.value);
    for (const diagnostic of found.diagnostics) diagnostics.push(diagnostic);
  }
  return { value, diagnostics };
}

/** A refused tool after `flatten`: what later phases look at. */
export interface RefusedFlatTool {
  readonly tool: FlatTool;
  /** JSON Pointers inside the spec of what was left out. */
  readonly removed: readonly string[];
}

/**
 * Flattens tools with errors, so that rules can look at them. What is missing may be the reason why a condition does not
 * fit the input, so nothing is said about conditions.
 */
export function flattenRefused(
  refused: readonly RefusedTool[],
  documents: readonly LoadedDocument[],
): Found<readonly RefusedFlatTool[]> {
  const linked = linkedDocuments(documents);
  const found = refused.map(({ tool, removed }) => ({ removed, ...flatTool(tool, linked(tool.document)) }));
  return {
    value: found.flatMap(({ value, removed }) => (value === undefined ? [] : [{ tool: value, removed }])),
    diagnostics: found.flatMap(({ diagnostics, removed }) =>
      diagnostics.filter(({ code }) => removed.length === 0 || code.startsWith("schema/")),
    ),
  };
}

/** A cached tool is flattened only when its schemas or conditions are needed. */
function flatTool(tool: ToolModel, documents: Documents): Found<FlatTool | undefined> {
  const flat = once(() => flattenTool(tool, documents));
  let isFlat = false;
  const facts = tool.facts.of<FlatFacts | null>("flat", () => {
    isFlat = true;
    const { value, diagnostics } = flat();
    if (value === undefined) return null;
    const { relaxations, customFunctions, worstCase, output } = value;
    return { relaxations, customFunctions, worstCase, hasOutput: output !== undefined, diagnostics };
  });
  if (isFlat || facts === null) return flat();
  return { value: new LazyFlatTool(tool, facts, () => flat().value), diagnostics: facts.diagnostics };
}

function flattenTool(tool: ToolModel, documents: Documents): Found<FlatTool | undefined> {
  const input = flattenPart(tool, "input", tool.spec.input, documents);
  const output = tool.spec.output === undefined ? undefined : flattenPart(tool, "output", tool.spec.output, documents);
  const diagnostics = [...input.diagnostics, ...(output?.diagnostics ?? [])];
  if (input.value === undefined || (output !== undefined && output.value === undefined)) {
    return { value: undefined, diagnostics };
  }

  const { schema } = input.value;
  if (!takesOnlyObjects(schema)) {
    return {
      value: undefined,
      diagnostics: [
        ...diagnostics,
        flattenDiagnostics("input-not-object", tool.locate("/input", "key"), undefined, { tool: tool.name }),
      ],
    };
  }
  const { diagnostics: problems, ...conditions } = compileConditions(tool, schema);
  const { name, document, pointer, metadata, stated, facts, locate } = tool;
  const value: FlatTool = {
    name,
    document,
    pointer,
    spec: tool.spec,
    metadata,
    stated,
    facts,
    locate,
    relaxations: [...tool.relaxations, ...findOpenInputs(schema)],
    input: input.value,
    bound: input.bound,
    ...(output?.value === undefined ? {} : { output: output.value }),
    ...conditions,
    worstCase: worstCaseOf(tool, conditions.rules),
  };
  return {
    value,
    diagnostics: [...diagnostics, ...problems, ...findUnknownPlaceholders(tool, schema), ...findUnhidden(tool, schema)],
  };
}

/** Flattens one schema of a tool and closes an input. Returns `undefined` if an error rules out its use. */
function flattenPart(
  tool: ToolModel,
  part: "input" | "output",
  schema: JsonSchema,
  documents: Documents,
): Found<FlatSchema | undefined> & Pick<FlatTool, "bound"> {
  const flat = flatPart(schema, {
    part,
    uri: tool.document.uri,
    pointer: `${tool.pointer}/${part}`,
    documents,
    bound: tool.spec.bind === undefined ? undefined : Object.keys(tool.spec.bind),
  });
  return {
    value: hasErrors(flat.diagnostics)
      ? undefined
      : createFlatSchema(flat.schema, flat.originsOf, documents, () => tool.locate(`/${part}`)),
    bound: flat.bound,
    diagnostics: flat.diagnostics.map((diagnostic) => toDiagnostic(diagnostic, tool, part, documents)),
  };
}

/** Diagnostics about a key rather than its value. */
const ABOUT_KEYS: ReadonlySet<string> = new Set(["schema/unknown-keyword", "schema/dead-property"]);

function toDiagnostic(
  { code, severity, message, origin, related }: SchemaDiagnostic,
  tool: ToolModel,
  part: "input" | "output",
  documents: Documents,
): Diagnostic {
  const place = (at: Origin): NonNullable<Diagnostic["location"]> =>
    locateOrigin(at, documents, () => tool.locate(`/${part}`), ABOUT_KEYS.has(code) ? "key" : "value");
  const location = place(origin);
  return {
    code,
    severity,
    message,
    // A fault in a shared file is reported once, however many tools use it.
    ...(location.uri === tool.document.uri ? { tool: tool.name } : {}),
    location,
    ...(related === undefined
      ? {}
      : { related: related.map(({ origin: at, message: words }) => ({ location: place(at), message: words })) }),
  };
}
