import { flagsOfRow, VARYING_FLAGS } from "@hasp/runtime";
import type { DialectId, JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { findInput, givenInputs, holds, expressionRows, type CompiledPredicate } from "../../cel/index.js";
import { createLayout, handlerFile } from "../../emitters/base/layout.js";
import { locateClaim } from "../../ledger/check-ledger.js";
import { exampleInput, type ClaimState } from "../../ledger/index.js";
import { withoutAnnotations } from "../../ledger/meaning.js";
import { connectionNameOf, declarationOf } from "../../model/handlers/declaration-of.js";
import type { LoweredTool, ToolForm } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { runnableTool } from "../../mcp-server/runnable-tool.js";
import type { RunnableTool } from "../../mcp-server/runnable-spec.js";
import type { PolicyModel } from "../../policies/policy.js";
import type { GeneratedNames } from "../../typescript/names.js";
import { resolvedFields } from "../../views/tool-card.js";
import type { ClaimRow, HandlerView, TableRow, ToolPage } from "../model.js";
import { cut, shortValue } from "./cut.js";
import { dialectEntries } from "./dialect-entries.js";
import { placeOf } from "./finding.js";
import { policyMatches } from "./policy-data.js";

/** What the page of a tool shows beside the tool itself. */
interface PageContext {
  readonly plan: CompilePlan;
  readonly claims: readonly ClaimState[];
  readonly forms: readonly ToolForm[];
  readonly names: GeneratedNames | undefined;
  readonly policies: readonly PolicyModel[];
  readonly texts: ReadonlyMap<string, string>;
  tokensOf(dialect: DialectId, lowered: LoweredTool): number;
}

/** Limits a description, in characters. */
const LONGEST_DESCRIPTION = 20_000;
/** Limits the inputs that the bench offers. */
const MOST_INPUTS = 20;

/** Returns everything that the page of a tool shows. */
export function toolPage(tool: FlatTool, context: PageContext): ToolPage {
  const { spec } = tool;
  const { plan, claims, names, policies } = context;
  const handlerPath = names === undefined ? "" : handlerFile(tool, names, createLayout(plan));
  return {
    name: tool.name,
    description: cut(spec.description.trim(), LONGEST_DESCRIPTION),
    place: placeOf(tool.locate("/name")),
    fields: resolvedFields(tool).flatMap(({ path, value, source, line }) =>
      source === "default" ? [] : [{ path, value, source, ...(line === undefined ? {} : { line }) }],
    ),
    table: tableOf(tool),
    varying: tool.flags.map(({ flag, polarity, predicate }) => ({ flag, polarity, condition: textOf(predicate) })),
    checks: tool.checks.map(({ that, message }) => ({
      condition: textOf(that),
      ...(message === undefined ? {} : { message }),
    })),
    claims: claims.map((claim) => claimRow(tool, claim)),
    policies: policyMatches(tool, policies),
    handler: handlerView(tool, plan, handlerPath),
    ...dialectEntries(tool, context),
    inputs: givenInputs(tool)
      .filter((input) => shortValue(input) !== undefined)
      .slice(0, MOST_INPUTS),
    runnable: benchTool(tool, plan),
  };
}

/** Lists the rows of the decision table, each with an input that it decides, and what applies where no row does. */
function tableOf(tool: FlatTool): readonly TableRow[] {
  const own = tool.metadata.behavior;
  const flagsIn = (row: object): readonly JsonValue[] =>
    VARYING_FLAGS.map((flag) => ({ ...own, ...row })[flag] as JsonValue);
  const rows = tool.rules.map((rule): TableRow => {
    const pointer = `/concurrency/rules/${rule.index}`;
    const example = rule.when.kind === "custom" ? undefined : shortValue(exampleOf(tool, pointer));
    return {
      condition: textOf(rule.when),
      ...(rule.when.kind === "custom" ? { isCustom: true as const } : {}),
      line: tool.locate(pointer).range.start.line,
      class: rule.class,
      flags: flagsIn(flagsOfRow(rule)),
      ...(example === undefined ? {} : { example }),
    };
  });
  const example = rows.length === 0 ? undefined : shortValue(unmatchedInput(tool));
  const otherwise = { class: tool.metadata.concurrency.class, flags: flagsIn({}) };
  return [...rows, { ...otherwise, ...(example === undefined ? {} : { example }) }];
}

/** Finds an input that a claim makes milder. The search runs once per version of a tool. */
function exampleOf(tool: FlatTool, pointer: string): JsonValue | undefined {
  const found = tool.facts.of(`example ${pointer}`, () => {
    const input = exampleInput(tool, { claim: "", pointer, covers: { kind: "input" } });
    return input === undefined ? [] : [input];
  });
  return found[0];
}

/** Finds an input that no row of the table decides. */
function unmatchedInput(tool: FlatTool): JsonValue | undefined {
  const rows = expressionRows(tool);
  if (rows.length < tool.rules.length) return undefined;
  const expressions = rows.map(({ predicate }) => predicate.expression);
  const found = tool.facts.of("example of no row", () => {
    const input = findInput(tool, expressions, (each) => !rows.some(({ predicate }) => holds(predicate, each)));
    return input === undefined ? [] : [input];
  });
  return found[0];
}

function claimRow(tool: FlatTool, { relaxation, state, entry }: ClaimState): ClaimRow {
  const isConditional = relaxation.covers.kind === "rule";
  const example = isConditional ? shortValue(exampleOf(tool, relaxation.pointer)) : undefined;
  const { reason, by, on, expires } = entry ?? {};
  return {
    claim: relaxation.claim,
    place: placeOf(locateClaim(tool, relaxation)),
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(by === undefined ? {} : { by }),
    ...(on === undefined ? {} : { on }),
    ...(expires === undefined ? {} : { expires }),
    ...(example === undefined ? {} : { example }),
  };
}

function handlerView({ spec }: FlatTool, { connections = {} }: CompilePlan, path: string): HandlerView {
  const declared = declarationOf(spec);
  const isolation = spec.handler?.isolation === undefined ? {} : { isolation: { ...spec.handler.isolation } };
  const bind = spec.bind === undefined ? {} : { bind: { ...spec.bind } };
  if (declared === undefined) return { kind: "code", declaration: { path, ...isolation }, ...bind };
  const name = connectionNameOf(declared);
  const settings = name === undefined ? undefined : connections[name];
  return {
    kind: declared.kind,
    declaration: { ...(declared.declaration as object as JsonObject), ...isolation },
    ...bind,
    ...(name === undefined || settings === undefined
      ? {}
      : { connection: { name, settings: settings as object as JsonObject } }),
  };
}

function textOf(predicate: CompiledPredicate): string {
  return predicate.kind === "custom" ? `${predicate.name}()` : predicate.source;
}

/** Returns what trying a call takes: no environment, no handler, and no texts that only a model reads. */
function benchTool(tool: FlatTool, plan: CompilePlan): RunnableTool {
  const { rules, flags, checks, spec } = runnableTool(tool, "", plan);
  const { name, aliases, metadata } = spec;
  return {
    isLoadedOnFirstCall: false,
    rules,
    flags,
    checks,
    spec: {
      name,
      description: name,
      handlerFile: "",
      ...(aliases === undefined ? {} : { aliases }),
      metadata,
      input: withoutAnnotations(tool.input.schema) as JsonSchema,
    },
  };
}
