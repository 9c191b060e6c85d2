import type { JsonSchema, Origin, SchemaDiagnostic, SchemaObject } from "@hasp/schema";
import { keywordRow, listSubschemas } from "@hasp/schema/vocabulary";
import {
  type Diagnostic,
  type Found,
  hasErrors,
  findSuggestions,
  type Location,
  placeInText,
  type TextSpan,
} from "@hasp/base/diagnostics";
import type { CompileContext } from "../../context/context.js";
import { findEffects } from "../../handlers/kinds.js";
import type { ResolvedTools } from "../2-resolve/index.js";
import { TEXT_MEMBER } from "@hasp/schema/internal/keywords";
import { checkGrammar } from "../../free-text/check-grammar.js";
import { describeText, readFreeText } from "../../free-text/input.js";
import { declarationOf } from "../../model/handlers.js";
import type { Documents } from "../../model/document-references.js";
import type { FlatSchema, FlatTool, ToolModel } from "../../model/tool.js";
import { flattenDiagnostics } from "./diagnostics.js";
import { flatPart, createFlatSchema, locateOrigin } from "./flat-schema.js";
import { findUnhidden } from "./hide-bound.js";
import { findOpenInputs } from "./open-inputs.js";
import { compileConditions, findWorstCase } from "./conditions.js";
import { findSchemaAt } from "../../model/schemas.js";
import { dropUndefined, own } from "@hasp/base/json";

export interface FlatTools {
  readonly tools: readonly FlatTool[];
  readonly refused: readonly FlatTool[];
}

export type FlattenedTool = Found<FlatTool | undefined>;

/** Flattens every schema, closes every input and compiles the conditions. Drops tools with an unusable schema. */
export function flatten({ tools, refused }: ResolvedTools, context: CompileContext): Found<FlatTools> {
  const { handlerKinds } = context.plugins;
  const addFacts = (tool: PlainTool): FlatTool => {
    const startsProgram = handlerKinds.startsProgram(declarationOf(tool.spec));
    return Object.defineProperty(Object.assign(tool, { startsProgram }), "effects", effects) as FlatTool;
  };
  const effects = {
    enumerable: true,
    get(this: PlainTool) {
      return findEffects(this, handlerKinds);
    },
  };
  const all = context.each("Flattening tools", [...tools, ...refused], (tool): FlattenedTool => {
    const { value, diagnostics } = flattenTool(tool, context.linked(tool.document));
    // If parts were removed, that alone may be why a condition does not fit the input.
    const isWhole = tool.removed.length === 0;
    return {
      value: value && addFacts(value),
      diagnostics: isWhole ? diagnostics : diagnostics.filter(({ code }) => code.startsWith("schema/")),
    };
  });
  return {
    value: {
      tools: all.slice(0, tools.length).flatMap(({ value }) => value ?? []),
      refused: all.slice(tools.length).flatMap(({ value }) => value ?? []),
    },
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

type PlainTool = Omit<FlatTool, "effects" | "startsProgram">;

function flattenTool(tool: ToolModel, documents: Documents): Found<PlainTool | undefined> {
  const { schema: described, isText, diagnostics: faults } = readInput(tool);
  const input = flattenPart(tool, "input", described, documents, isText);
  const output = tool.spec.output === undefined ? undefined : flattenPart(tool, "output", tool.spec.output, documents);
  const diagnostics = [...faults, ...input.diagnostics, ...(output?.diagnostics ?? [])];
  if (hasErrors(faults) || input.value === undefined || (output !== undefined && output.value === undefined)) {
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
  const value: PlainTool = {
    ...tool,
    relaxations: [...tool.relaxations, ...findOpenInputs(schema)],
    input: input.value,
    bound: input.bound,
    ...dropUndefined({ output: output?.value }),
    ...conditions,
    worstCase: findWorstCase(tool, conditions.rules),
  };
  return {
    value,
    diagnostics: [...diagnostics, ...problems, ...findUnknownPlaceholders(tool, schema), ...findUnhidden(tool, schema)],
  };
}

/** Reads the input of a tool; that of a free-text tool with the findings about its grammar. */
function readInput(tool: ToolModel): {
  readonly schema: JsonSchema;
  readonly isText: boolean;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { input, bind = {} } = tool.spec;
  const text = readFreeText(input);
  if (text === undefined) return { schema: input as JsonSchema, isText: false, diagnostics: [] };
  const about = { tool: tool.name };
  const bound = Object.hasOwn(bind, TEXT_MEMBER)
    ? [flattenDiagnostics("bound-text", tool.locate(`/bind/${TEXT_MEMBER}`, "key"), undefined, about)]
    : [];
  const { format } = text;
  if (format === undefined) return { schema: describeText(text, undefined), isText: true, diagnostics: bound };
  const { pattern, problems, warnings } = checkGrammar(format);
  const at = tool.locate("/input/format/definition");
  const place = (span: TextSpan): Location => placeInText(tool.document, at, format.definition, span);
  return {
    schema: describeText(text, pattern),
    isText: true,
    diagnostics: [
      ...bound,
      ...problems.map((problem) => flattenDiagnostics("grammar", place(problem), problem.parameters, about)),
      ...warnings.map((span) => flattenDiagnostics("grammar-unbounded", place(span), undefined, about)),
    ],
  };
}

function flattenPart(
  tool: ToolModel,
  part: "input" | "output",
  schema: JsonSchema,
  documents: Documents,
  isText = false,
): Found<FlatSchema | undefined> & Pick<FlatTool, "bound"> {
  const flat = flatPart(schema, {
    part,
    uri: tool.document.uri,
    pointer: `${tool.pointer}/${part}`,
    documents,
    isText,
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

const ABOUT_KEYS: ReadonlySet<string> = new Set(["schema/unknown-keyword", "schema/dead-property"]);

function toDiagnostic(
  { code, severity, message, meant, origin, related }: SchemaDiagnostic,
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
    ...dropUndefined({ meant }),
    // A fault in a shared file is reported once, however many tools use it.
    ...(location.uri === tool.document.uri ? { tool: tool.name } : {}),
    location,
    ...(related && {
      related: related.map(({ origin: at, message: words }) => ({ location: place(at), message: words })),
    }),
  };
}

/** True if a flat schema declares that it accepts only objects; a list of properties alone accepts numbers as well. */
function takesOnlyObjects(root: JsonSchema): boolean {
  const visited = new Set<SchemaObject>();
  const holds = (schema: JsonSchema | undefined): boolean => {
    if (typeof schema !== "object" || visited.has(schema)) return false;
    if (schema.type === "object") return true;
    visited.add(schema);
    const named = schema.$ref === undefined ? undefined : findSchemaAt(root, schema.$ref);
    return (
      holds(named) ||
      [schema.anyOf, schema.oneOf].some(
        (branches) => branches !== undefined && branches.length > 0 && branches.every(holds),
      ) ||
      (schema.allOf ?? []).some(holds)
    );
  };
  return holds(root);
}

const STATES = ["running", "done", "failed", "rejected", "progress"] as const;

/** Reports `display` placeholders that no input can fill: a misspelt one would silently print nothing. */
function findUnknownPlaceholders(tool: ToolModel, input: JsonSchema): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const state of STATES) {
    const template = tool.spec.display?.[state] ?? "";
    for (const [placeholder, path = ""] of template.matchAll(/\{([^{}]*)\}/gu)) {
      const keys = new Set<string>();
      if (hasField(input, input, path, keys)) continue;
      const location = tool.locate(`/display/${state}`);
      const parameters = { placeholder, nearest: findSuggestions(path, keys) };
      diagnostics.push(flattenDiagnostics("unknown-placeholder", location, parameters, { tool: tool.name }));
    }
  }
  return diagnostics;
}

/** True if some input may have a field at a dotted path. Collects the names found instead in `keys`. */
function hasField(schema: JsonSchema, root: JsonSchema, path: string, keys: Set<string>): boolean {
  const parts = partsOf(schema, root);
  if (!parts.some((part) => part.properties !== undefined)) return parts.every(mayBeObject);
  if (parts.some(letsOtherKeysIn)) return true;
  const [first = "", ...rest] = path.split(".");
  for (const { properties = {} } of parts) {
    // A key that contains dots takes precedence over a path.
    if (Object.hasOwn(properties, path)) return true;
    const child = own(properties, first);
    if (child !== undefined && hasField(child, root, rest.join("."), keys)) return true;
    for (const key of Object.keys(properties)) keys.add(key);
  }
  return false;
}

function letsOtherKeysIn({
  additionalProperties = false,
  unevaluatedProperties = false,
  patternProperties,
}: SchemaObject): boolean {
  return additionalProperties !== false || unevaluatedProperties !== false || patternProperties !== undefined;
}

function mayBeObject({ type = "object", enum: values, const: value }: SchemaObject): boolean {
  return values === undefined && value === undefined && (type === "object" || type.includes("object"));
}

function partsOf(schema: JsonSchema, root: JsonSchema): readonly SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const waiting: (JsonSchema | undefined)[] = [schema];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (typeof part !== "object" || parts.has(part)) continue;
    parts.add(part);
    for (const { keyword, schema: inner } of listSubschemas(part)) {
      if (keywordRow(keyword)?.applies === "inPlace") waiting.push(inner);
    }
    waiting.push(definition(part, root));
  }
  return [...parts];
}

function definition({ $ref }: SchemaObject, root: JsonSchema): JsonSchema | undefined {
  return $ref === undefined ? undefined : findSchemaAt(root, $ref);
}
