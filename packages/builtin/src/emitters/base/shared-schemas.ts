import { walkSchema } from "@hasp/schema/vocabulary";
import type { DialectName, JsonSchema, JsonValue, LowerResult } from "@hasp/schema";
import { type ToolForm, nameDialect } from "@hasp/compiler/model";
import { isStructured, isList, readOwnMember, isSameJsonText } from "@hasp/base/json";
import type { FlatSchema } from "@hasp/compiler/plugin";
import type { FlatTool } from "@hasp/compiler";
import { typeName } from "@hasp/compiler/layout";
import { digestText } from "./module-text.js";
import type { ToolEntries } from "./sent-schemas.js";
import type { DefinitionNode, ToolDefinitions } from "./shared-definitions.js";

/** Minimum length of JSON that is worth a constant. */
const SHORTEST_SHARED = 160;

/** One tool's use of a definition in one form: plain data, enough to choose and name the constants of a project. */
export interface SchemaUse {
  readonly definition: string;
  readonly digest: string;
  /** `""` in inputs, `Output`, or the list of a dialect, such as `ForMcp`. */
  readonly role: string;
  /** Digest of descriptions that differ from the definition's; empty if they are equal. */
  readonly prose: string;
  /** The forms that hold it and how often; `""` is the tool's own schemas. */
  readonly within: readonly (readonly [form: string, times: number])[];
}

export interface ToolSchemas {
  readonly uses: readonly SchemaUse[];
  readonly formOf: (node: object) => string | undefined;
  readonly nodeOf: (form: string) => object | undefined;
}

export function createFormKey({ definition, digest }: Pick<SchemaUse, "definition" | "digest">): string {
  return `${definition} ${digest}`;
}

/** Finds the shared definitions in a tool's schemas. Skips those with a `$ref`: its place decides its meaning. */
export function findSharedSchemas(
  tool: FlatTool,
  forms: readonly ToolForm[],
  entries: ToolEntries,
  { nodes }: ToolDefinitions,
): ToolSchemas {
  const uses = new Map<string, SchemaUse & { readonly within: [string, number][] }>();
  const formByNode = new Map<object, string>();
  const nodeByForm = new Map<string, object>();
  const definitionOf = definitionsByNode(tool, forms, nodes);
  for (const { role, schema } of printedSchemas(forms, entries)) {
    const visit = (value: JsonValue): PrintedText => {
      if (!isStructured(value)) return scalarText(value);
      const inner = isList(value)
        ? value.map((item) => ["", visit(item)] as const)
        : Object.entries(value).map(([key, item]) => [`${JSON.stringify(key)}:`, visit(item)] as const);
      const text = inner.map(([key, each]) => key + each.text).join(",");
      const size = inner.reduce((sum, [key, each]) => sum + key.length + each.size + 1, 2);
      const hasReference =
        inner.some(([, each]) => each.hasReference) || (!isList(value) && Object.hasOwn(value, "$ref"));
      const holds = countAll(inner.map(([, each]) => each.holds));
      const definition = isList(value) ? undefined : definitionOf.get(value);
      if (definition === undefined || hasReference || size < SHORTEST_SHARED) {
        return { text: isList(value) ? `[${text}]` : `{${text}}`, size, hasReference, holds };
      }
      const use = { definition: definition.definition, digest: digestText(text), role, prose: definition.prose };
      const form = createFormKey(use);
      formByNode.set(value, form);
      nodeByForm.set(form, value);
      if (!uses.has(form)) uses.set(form, { ...use, within: [] });
      for (const [held, times] of holds) noteWithin(uses, held, form, times, (_, now) => now);
      return { text: form, size, hasReference, holds: new Map([[form, 1]]) };
    };
    // The text of what holds definitions decides nothing.
    const listHeld = (value: JsonValue): PrintedText["holds"] => {
      if (!isStructured(value)) return nothing;
      return definitionOf.has(value) ? visit(value).holds : countAll(Object.values(value).map(listHeld));
    };
    for (const [held, times] of listHeld(schema)) noteWithin(uses, held, "", times, (before, now) => before + now);
  }
  // Nodes that equal those of a constant have their forms.
  const alias = (value: JsonValue | undefined, twin: JsonValue | undefined): void => {
    if (!isStructured(value) || !isStructured(twin) || value === twin) return;
    const form = formByNode.get(twin);
    if (form !== undefined) formByNode.set(value, form);
    for (const [key, inner] of Object.entries(value)) alias(inner, readOwnMember(twin, key));
  };
  const { input, output } = entries.sent;
  for (const form of forms) {
    if (form.kind !== "listed") continue;
    const { lowering, output: result } = form.lowered;
    for (const [schema, twin] of [
      [lowering.schema, input],
      [result?.schema, output],
    ] as (JsonValue | undefined)[][]) {
      if (isSameJsonText(schema ?? null, twin ?? null)) alias(schema, twin);
    }
  }
  return { uses: [...uses.values()], formOf: (node) => formByNode.get(node), nodeOf: (form) => nodeByForm.get(form) };
}

interface PrintedText {
  readonly text: string;
  readonly size: number;
  readonly hasReference: boolean;
  readonly holds: ReadonlyMap<string, number>;
}

const nothing: ReadonlyMap<string, number> = new Map();

function scalarText(value: string | number | boolean | null): PrintedText {
  const text = JSON.stringify(value);
  return { text, size: text.length, hasReference: false, holds: nothing };
}

function countAll(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const filled = counts.filter(({ size }) => size > 0);
  const [only] = filled;
  if (filled.length < 2) return only ?? nothing;
  const sum = new Map<string, number>();
  for (const count of filled) for (const [key, times] of count) sum.set(key, (sum.get(key) ?? 0) + times);
  return sum;
}

function noteWithin(
  uses: ReadonlyMap<string, { readonly within: [string, number][] }>,
  held: string,
  holder: string,
  times: number,
  combined: (before: number, now: number) => number,
): void {
  const within = uses.get(held)?.within;
  const known = within?.find(([form]) => form === holder);
  if (known === undefined) within?.push([holder, times]);
  else known[1] = combined(known[1], times);
}

function printedSchemas(
  forms: readonly ToolForm[],
  { sent, made }: ToolEntries,
): readonly { readonly role: string; readonly schema: JsonValue }[] {
  const own = (schema: JsonValue | undefined, role: string): readonly { role: string; schema: JsonValue }[] =>
    schema === undefined ? [] : [{ role, schema }];
  const isSent = (schema: JsonValue | undefined, of: JsonValue | undefined): boolean =>
    schema !== undefined && of !== undefined && isSameJsonText(schema, of);
  const written = forms.flatMap((form) => (form.kind === "listed" && !made.has(form.dialect) ? form : []));
  return [
    ...own(sent.input, ""),
    ...own(sent.output, "Output"),
    ...written.flatMap(({ dialect, lowered: { lowering, output } }) => {
      const [input, result] = [lowering.schema, output?.schema] as readonly (JsonValue | undefined)[];
      return [
        ...(isSent(input, sent.input) ? [] : own(input, nameRole(dialect))),
        ...own(result, isSent(result, sent.output) ? "Output" : nameRole(dialect)),
      ];
    }),
  ];
}

function nameRole(dialect: DialectName): string {
  return `For${typeName(nameDialect(dialect))}`;
}

function definitionsByNode(
  tool: FlatTool,
  forms: readonly ToolForm[],
  nodes: ToolDefinitions["nodes"],
): ReadonlyMap<object, DefinitionNode> {
  const found = new Map<object, DefinitionNode>(nodes);
  const note = (flat: FlatSchema | undefined, lowerings: readonly (LowerResult | undefined)[]): void => {
    if (flat === undefined) return;
    const byPointer = new Map<string, DefinitionNode>();
    walkSchema(flat.schema, ({ schema, pointer }) => {
      const node = typeof schema === "object" ? nodes.get(schema) : undefined;
      if (node !== undefined) byPointer.set(pointer, node);
    });
    if (byPointer.size === 0) return;
    for (const lowering of lowerings) {
      walkSchema((lowering?.schema ?? true) as JsonSchema, ({ schema }) => {
        const source = typeof schema === "object" ? lowering?.sourceOf(schema) : undefined;
        const node = source === undefined ? undefined : byPointer.get(source);
        if (node !== undefined) found.set(schema as object, node);
      });
    }
  };
  const listed = forms.flatMap((form) => (form.kind === "listed" ? form.lowered : []));
  note(
    tool.input,
    listed.map(({ lowering }) => lowering),
  );
  note(
    tool.output,
    listed.map(({ output }) => output),
  );
  return found;
}
