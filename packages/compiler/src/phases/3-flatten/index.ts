import type { JsonSchema, Origin, SchemaDiagnostic } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { hasErrors } from "../../diagnostics/severity.js";
import { lazily, type Step } from "../../context/compile-cache.js";
import type { CompileContext } from "../../context/context.js";
import type { ResolvedTools } from "../2-resolve/index.js";
import type { DeclaredHandlers } from "../../context/plugins.js";
import type { Documents } from "../../model/linked-documents.js";
import type { FlatSchema, FlatTool, ToolModel } from "../../model/tool.js";
import { flattenDiagnostics } from "./diagnostics.js";
import { flatPart } from "./flat-part.js";
import { createFlatSchema, locateOrigin } from "./flat-schema.js";
import { findUnhidden } from "./hide-bound.js";
import { takesOnlyObjects } from "./input-root.js";
import { findOpenInputs } from "./open-inputs.js";
import { findUnknownPlaceholders } from "./placeholders.js";
import { compileConditions } from "./predicates.js";
import { worstCaseOf } from "./worst-case.js";

/** The flat tools of a project. */
export interface FlatTools extends Found<readonly FlatTool[]> {
  /** Tools with errors, which later phases only search for other faults. */
  readonly refused: readonly FlatTool[];
}

/** Flattens every schema, closes every input and compiles the conditions. Drops tools with an unusable schema. */
export function flatten(tools: Pick<ResolvedTools, "value" | "refused">, context: CompileContext): FlatTools {
  const step = flattening(context);
  const sound = context.each("Flattening tools", step, tools.value);
  const refused = context.each("Flattening tools", step, tools.refused);
  return {
    value: sound.flatMap(({ value }) => value ?? []),
    refused: refused.flatMap(({ value }) => value ?? []),
    diagnostics: [...sound, ...refused].flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The part of a flat tool that is cheap to keep: its schemas and conditions are computed again when they are read. */
type SavedTool = Pick<FlatTool, "relaxations" | "customFunctions" | "worstCase"> & {
  readonly hasOutput: boolean;
  readonly diagnostics: readonly Diagnostic[];
};

function flattening({
  linked,
  plugins: { handlers },
}: CompileContext): Step<ToolModel, Found<FlatTool | undefined>, SavedTool> {
  return {
    name: "flat",
    run(tool) {
      const { value, diagnostics } = flattenTool(tool, linked(tool.document));
      // A condition may not fit the input only because parts were left out.
      const isWhole = tool.removed.length === 0;
      return {
        value: value && addEffects(value, handlers),
        diagnostics: isWhole ? diagnostics : diagnostics.filter(({ code }) => code.startsWith("schema/")),
      };
    },
    save({ value, diagnostics }) {
      if (value === undefined) return undefined;
      const { relaxations, customFunctions, worstCase, output } = value;
      return { relaxations, customFunctions, worstCase, hasOutput: output !== undefined, diagnostics };
    },
    restore({ hasOutput, diagnostics, ...saved }, tool, run) {
      const others = { input: true, bound: true, output: hasOutput, rules: true, flags: true, checks: true };
      const flat = (): FlatTool => {
        const { value } = run();
        if (value === undefined) throw new Error(`${tool.name} flattened before but does not flatten now.`);
        return value;
      };
      const value = lazily<ToolWithoutEffects, ToolModel & typeof saved>({ ...tool, ...saved }, others, flat);
      return { value: addEffects(value, handlers), diagnostics };
    },
  };
}

type ToolWithoutEffects = Omit<FlatTool, "effects">;

/** Adds the effects of a declared handler, computed when they are read. */
function addEffects(tool: ToolWithoutEffects, handlers: DeclaredHandlers): FlatTool {
  Object.defineProperty(tool, "effects", { enumerable: true, get: () => handlers.findEffects(tool) });
  return tool as FlatTool;
}

function flattenTool(tool: ToolModel, documents: Documents): Found<ToolWithoutEffects | undefined> {
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
  const value: ToolWithoutEffects = {
    ...tool,
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
