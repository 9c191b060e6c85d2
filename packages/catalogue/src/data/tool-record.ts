import { dropUndefined } from "@hasp/base/json";
import type { CompileResult, CompilePlan, FlatTool } from "@hasp/compiler";
import { createLayout, handlerFile, chooseGeneratedNames } from "@hasp/compiler/layout";
import { groupFormsByTool, type ToolForm, findConnectionName, declarationOf } from "@hasp/compiler/model";
import { isPluginKind } from "@hasp/compiler/handlers";
import {
  type CompiledPredicate,
  listExpressionRows,
  createInputFinder,
  listGivenInputs,
  holds,
} from "@hasp/compiler/conditions";
import { listConditions } from "@hasp/compiler/run";
import { listSettings } from "@hasp/compiler/model";
import type { HandlerView, RunnableWithoutInput, TableRow, ToolRecord } from "../model.js";
import { flagsOfRow, VARYING_FLAGS } from "@hasp/runtime/contract";
import type { JsonValue } from "@hasp/schema";
import { countEntryTokens } from "@hasp/compiler/tokens";
import { listResolvedFields } from "@hasp/report";
import { cut, shortenValue } from "./cut.js";
import { createDialectEntries } from "./dialect-entries.js";
import { createPlace } from "./finding.js";
import { findExampleInput } from "@hasp/compiler/claims";

export interface RecordedProject {
  readonly plan: CompilePlan;
  readonly result: Pick<CompileResult, "tools" | "toolsets" | "each">;
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns each tool with its record, computed once per version of the tool and of its forms. */
export function createToolRecords({
  plan,
  result: { tools, toolsets, each },
  texts,
}: RecordedProject): readonly (readonly [tool: FlatTool, record: ToolRecord])[] {
  const formsOf = groupFormsByTool(toolsets);
  const names = chooseGeneratedNames(tools.map((tool) => tool.name));
  const layout = createLayout(plan);
  const handlerPath = (tool: FlatTool): string => {
    const own = names.get(tool.name);
    return own === undefined ? "" : handlerFile(tool, own, layout);
  };
  const records = each(
    "Describing tools",
    tools,
    (tool) => toolRecord(tool, { plan, forms: formsOf.get(tool.name) ?? [], handlerPath: handlerPath(tool), texts }),
    (tool) => [listSettings(formsOf.get(tool.name) ?? []), handlerPath(tool)],
  );
  return tools.flatMap((tool, index) => records.slice(index, index + 1).map((record) => [tool, record] as const));
}

interface RecordContext {
  readonly plan: CompilePlan;
  readonly forms: readonly ToolForm[];
  readonly handlerPath: string;
  readonly texts: ReadonlyMap<string, string>;
}

const LONGEST_DESCRIPTION = 20_000;
const MOST_INPUTS = 20;

/** Returns the part of a tool's page that follows from its spec, the files that it refers to and the plan. */
function toolRecord(tool: FlatTool, { plan, forms, handlerPath, texts }: RecordContext): ToolRecord {
  return {
    name: tool.name,
    description: cut(tool.spec.description.trim(), LONGEST_DESCRIPTION),
    place: createPlace(tool.locate("/name")),
    fields: listResolvedFields(tool).flatMap(({ path, value, source, line }) =>
      source === "default" ? [] : [dropUndefined({ path, value, source, line })],
    ),
    table: tableOf(tool),
    varying: tool.flags.map(({ flag, polarity, predicate }) => ({ flag, polarity, condition: textOf(predicate) })),
    checks: tool.checks.map(({ that, message }) => dropUndefined({ condition: textOf(that), message })),
    handler: handlerView(tool, plan, handlerPath),
    ...createDialectEntries(tool, { forms, texts, tokensOf: (lowered) => countEntryTokens(lowered, plan) }),
    inputs: listGivenInputs(tool)
      .filter((input) => shortenValue(input) !== undefined)
      .slice(0, MOST_INPUTS),
    runnable: benchTool(tool),
  };
}

function tableOf(tool: FlatTool): readonly TableRow[] {
  const own = tool.metadata.behavior;
  const flagsIn = (row: object): readonly JsonValue[] =>
    VARYING_FLAGS.map((flag) => ({ ...own, ...row })[flag] as JsonValue);
  const rows = tool.rules.map((rule): TableRow => {
    const pointer = `/concurrency/rules/${rule.index}`;
    const example = rule.when.kind === "custom" ? undefined : shortenValue(findExampleInput(tool, { pointer }));
    return dropUndefined({
      condition: textOf(rule.when),
      isCustom: rule.when.kind === "custom" ? (true as const) : undefined,
      line: tool.locate(pointer).range.start.line,
      class: rule.class,
      flags: flagsIn(flagsOfRow(rule)),
      example,
    });
  });
  const example = rows.length === 0 ? undefined : shortenValue(unmatchedInput(tool));
  const otherwise = { class: tool.metadata.concurrency.class, flags: flagsIn({}) };
  return [...rows, dropUndefined({ ...otherwise, example })];
}

function unmatchedInput(tool: FlatTool): JsonValue | undefined {
  const rows = listExpressionRows(tool);
  if (rows.length < tool.rules.length) return undefined;
  const expressions = rows.map(({ predicate }) => predicate.expression);
  return createInputFinder(tool)(expressions, (each) => !rows.some(({ predicate }) => holds(predicate, each)));
}

function handlerView({ spec }: FlatTool, { connections = {} }: CompilePlan, path: string): HandlerView {
  const declared = declarationOf(spec);
  const { bind, handler: { isolation } = {} } = spec;
  if (declared === undefined) {
    return dropUndefined({ kind: "code", declaration: dropUndefined({ path, isolation }), bind });
  }
  const { key, declaration } = declared;
  const name = findConnectionName(declared) ?? "";
  const settings = connections[name];
  return dropUndefined({
    kind: isPluginKind(key) ? "plugin" : key,
    declaration: isPluginKind(key) ? { [key]: declaration } : declaration,
    bind,
    connection: settings && { name, settings },
  });
}

function textOf(predicate: CompiledPredicate): string {
  return predicate.kind === "custom" ? `${predicate.name}()` : predicate.source;
}

/** Returns the data for trying a call, without environment, handler and texts for models. */
function benchTool(tool: FlatTool): RunnableWithoutInput {
  const { name, metadata, spec } = tool;
  const { aliases } = spec;
  return {
    isLoadedOnFirstCall: false,
    ...listConditions(tool),
    spec: dropUndefined({ name, description: name, handlerFile: "", aliases, metadata }),
  };
}
