import { toRecord } from "@hasp/base/json";
import { wrapInNamespaces } from "@hasp/schema/internal/entries";
import { keepLastMark } from "@hasp/schema/internal/keywords";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { strictestFlow } from "@hasp/runtime/contract";
import {
  createConditionSampler,
  findUntriedAnswers,
  listGivenInputs,
  type ExpressionPredicate,
} from "@hasp/compiler/conditions";
import { wholeToolset, type PolicyModel } from "@hasp/compiler/model";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { emitDiagnostics } from "@hasp/compiler/findings";
import { findConnectionFile } from "../emitters/base/names.js";
import type { EmittedToolset, ToolToEmit } from "../emitters/base/emitter.js";
import { nameGate } from "../emitters/base/module-text.js";
import { handlerFile, CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { findNeededParts } from "../emitters/module-parts/needed-parts.js";
import { policyConstant } from "../emitters/policy-modules.js";
import { createSpec, createRunnableTool } from "@hasp/compiler/run";
import type { FlatTool } from "@hasp/compiler";
import type { PreparedBuild } from "../emitters/prepare.js";
import { createConnectionContext, expectConnection, expectHandler, listHandlerCalls } from "./expected-handler.js";
import { createRecordedCall } from "@hasp/compiler/plugin";
import type { ModuleQuestion } from "./question.js";

/** A question about a generated module, and a value of the model with the right answer. */
export interface Expectation {
  readonly question: ModuleQuestion;
  readonly value: unknown;
  /** The part of the module in question. */
  readonly about: string;
  /** Conditions that no sampled input makes true, or none false: nothing is known of their code. */
  readonly untried?: readonly Diagnostic[];
}

/** Lists what the modules of a build must do, derived from the model without the emitters. */
export function* listExpectations({ tools, build }: PreparedBuild): Generator<Expectation> {
  const { layout, plan, policies } = build;
  const registry = { path: layout.registry, name: "registry" };
  const definitions = new Map<string, ReadonlyMap<string, JsonObject>>();
  for (const tool of tools) {
    definitions.set(tool.tool.name, definitionsOf(tool));
    const { inputs, untried } = sampleToolConditions(tool.tool, "/spec");
    yield {
      question: { ...registry, at: ["entries", tool.tool.name], conditions: inputs },
      value: expectedBinding(tool),
      about: `the binding of ${tool.tool.name}, or its spec in ${layout.specs},`,
      untried,
    };
    const handler = expectHandler(tool);
    if (handler === undefined) continue;
    yield {
      question: {
        path: layout.declaredHandler(tool.names),
        name: "execute",
        calls: listHandlerCalls(tool.tool, build),
      },
      value: handler,
      about: `the handler of ${tool.tool.name}`,
    };
  }
  yield {
    question: { ...registry, at: ["options"] },
    value: expectedOptions(build),
    about: "`unlocked`, `flow`, `extensions`, or `policies`,",
  };
  const gates = listGates(tools);
  for (const { constants, isOpen } of roundsOf([...gates.values()].map(nameGate))) {
    yield {
      question: { ...registry, at: ["names"], constants },
      value: build.tools
        .map(({ name }) => name)
        .filter((name) => !gates.has(name) || isOpen(nameGate(gates.get(name) ?? ""))),
      about: "the tools that a bundler keeps",
    };
  }
  if (build.toolsets.some(({ name }) => name !== wholeToolset)) {
    const value = Object.fromEntries(build.toolsets.map((toolset) => [toolset.name, membersOf(toolset)]));
    yield { question: { path: layout.registry, name: "toolsets" }, value, about: "the members of the toolsets" };
  }
  for (const { name, lists } of build.toolsets) {
    for (const { dialect, constant, listed, namespaces } of lists.flatMap(constantsOf)) {
      const path = layout.providerList(name, dialect, "ts");
      const entries = (kept: readonly string[]): readonly unknown[] =>
        wrapInNamespaces(keepLastMark(kept.map((tool) => definitions.get(tool)?.get(dialect) ?? {})), namespaces);
      const ungated = listed.filter((tool) => !gates.has(tool));
      yield { question: { path, name: constant, list: "constant" }, value: entries(ungated), about: `\`${constant}\`` };
      if (ungated.length === listed.length) continue;
      const listedGates = listed.flatMap((tool) => gates.get(tool) ?? []);
      const open = [...new Set(listedGates)];
      const listFor = (isKept: (gate: string) => boolean) => (): readonly unknown[] =>
        entries(listed.filter((tool) => isKept(gates.get(tool) ?? "") || !gates.has(tool)));
      for (const { isOpen } of roundsOf(listedGates)) {
        const question: ModuleQuestion = { path, name: `${constant}For`, list: { open: open.filter(isOpen) } };
        yield { question, value: listFor(isOpen), about: `\`${constant}For\`` };
      }
      for (const { constants, isOpen } of roundsOf(listedGates.map(nameGate))) {
        const question: ModuleQuestion = { path, name: `${constant}For`, list: { open }, constants };
        yield { question, value: listFor((gate) => isOpen(nameGate(gate))), about: `\`${constant}For\`` };
      }
    }
  }
  for (const policy of policies) yield expectedPolicy(policy, layout.policy(policy.toolset));
  for (const connection of Object.keys(plan.connections ?? {})) {
    const { path, constant } = findConnectionFile(connection, plan, layout);
    const calls = [{ input: {}, context: createConnectionContext(connection, plan) }];
    const value = expectConnection(connection, build);
    if (value === undefined) continue;
    yield { question: { path, name: constant, calls }, value, about: `the connection ${connection}` };
  }
}

/** Lists the constants of a list's module, with their tools. */
function constantsOf({ dialect, tools, later, namespaces }: EmittedToolset["lists"][number]) {
  const first = { dialect, namespaces, constant: "tools", listed: tools.filter((tool) => !later.includes(tool)) };
  return later.length === 0 ? [first] : [first, { dialect, namespaces, constant: "deferredTools", listed: later }];
}

function membersOf({ lists }: EmittedToolset): readonly string[] {
  return [...new Set(lists.flatMap((list) => [...list.tools, ...list.excluded]))].toSorted();
}

function expectedOptions({ tools, toolsets, plan, extensions, policies }: PreparedBuild["build"]): JsonObject {
  const whole = toolsets.filter((toolset) => membersOf(toolset).length === tools.length);
  const flow = strictestFlow((whole.length > 0 ? whole : toolsets).map((toolset) => toolset.flow));
  const others = toolsets.filter((toolset) => toolset.flow !== flow);
  return {
    unlocked: plan.unlocked,
    flow,
    ...(others.length === 0 ? {} : { toolsetFlows: others.map((toolset) => [toolset.flow, membersOf(toolset)]) }),
    ...(extensions.length === 0 ? {} : { extensions }),
    ...(policies.length === 0 ? {} : { policies: policies.map(({ toolset }) => toolset) }),
  };
}

export function listGates(tools: PreparedBuild["tools"]): ReadonlyMap<string, string> {
  return new Map(
    tools.flatMap(({ tool: { name, spec } }) => {
      const { featureGate } = spec.visibility ?? {};
      return featureGate === undefined ? [] : [[name, featureGate] as const];
    }),
  );
}

function definitionsOf({ forms }: ToolToEmit): ReadonlyMap<string, JsonObject> {
  return new Map(
    forms.flatMap((form) => (form.kind === "listed" ? [[form.dialect, form.lowered.definition] as const] : [])),
  );
}

function expectedBinding({ tool, names, forms, layout, plan, kinds }: ToolToEmit): unknown {
  const file = handlerFile(tool, names, layout);
  const runnable = createRunnableTool(tool, file, plan, kinds);
  const entries = forms.flatMap((form) => {
    if (form.kind === "excluded") return [];
    const { wireName, lowering, definition } = form.lowered;
    const shape = lowering.codec === undefined ? {} : { codec: lowering.codec };
    return [[form.dialect, { ...(wireName === tool.name ? {} : { name: wireName }), ...shape, definition }] as const];
  });
  const spec = {
    ...createSpec({ ...runnable, entries: Object.fromEntries(entries) }),
    parts: findNeededParts(tool, forms),
  };
  const { isLoadedOnFirstCall, isolation } = runnable;
  return {
    bind: isLoadedOnFirstCall ? "bindLazySpec" : "bindSpec",
    spec: Object.fromEntries(Object.entries(spec).filter(([key, value]) => !MAY_BE_EMPTY.has(key) || !isEmpty(value))),
    handler: { module: file },
    isolated:
      isolation &&
      createRecordedCall("isolate", CODEGEN_ENTRIES.isolation, [
        { module: { file: layout.handler(names) }, ...isolation },
      ]),
  };
}

/** Keys that a module leaves out if they hold nothing. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["rules", "flags", "validate", "dialects", "parts"]);

function isEmpty(value: unknown): boolean {
  return Object.values(Object(value) as object).every((each) => each === undefined);
}

interface SampledConditions {
  readonly inputs: NonNullable<ModuleQuestion["conditions"]>;
  readonly untried: readonly Diagnostic[];
}

/** Samples the inputs for each condition of a tool, by its place in the spec. */
function sampleToolConditions(tool: FlatTool, at: string): SampledConditions {
  const { rules, flags, checks, destination, input } = tool;
  const places = [
    ...rules.map(({ when, index }, row) => [`/rules/${row}/when`, when, `/concurrency/rules/${index}/when`] as const),
    ...flags.map(({ flag, polarity, predicate }) => {
      const place = `/flags/${flag}/${polarity}`;
      return [place, predicate, `/behavior/${flag}/${polarity}`] as const;
    }),
    ...checks.map(({ that, index }, row) => [`/validate/${row}/that`, that, `/validate/${index}/that`] as const),
  ];
  const sample = createConditionSampler(input.schema, listGivenInputs(tool));
  const sampled = places.flatMap(([place, predicate, pointer]) => {
    if (predicate.kind === "custom") return [];
    const inputs = sample(predicate.expression);
    const untried = reportUntried(predicate, inputs, input.schema, tool.locate(pointer), tool.name);
    return [{ place, inputs, untried }];
  });
  const inputs = Object.fromEntries(sampled.map((each) => [`${at}${each.place}`, each.inputs]));
  return {
    inputs: destination === undefined ? inputs : { ...inputs, [`${at}/destination`]: sample(destination.expression) },
    untried: sampled.flatMap((each) => each.untried),
  };
}

function reportUntried(
  predicate: ExpressionPredicate,
  inputs: readonly JsonValue[],
  schema: JsonSchema,
  location: Location,
  tool?: string,
): readonly Diagnostic[] {
  return findUntriedAnswers(predicate, inputs, schema).map((answer) =>
    emitDiagnostics("not-verified", location, { answer: String(answer) }, { tool }),
  );
}

function expectedPolicy({ spec, rules, document }: PolicyModel, path: string): Expectation {
  const sampled = rules.flatMap(({ predicate, call = true, index, tool }, row) => {
    if (predicate === undefined) return [];
    const given = (spec.tests ?? []).filter((each) => each.tool === tool);
    const calls = given.map(({ input, context = {} }) => ({ input, context }));
    const inputs = createConditionSampler(call, calls)(predicate.expression);
    const untried = reportUntried(predicate, inputs, call, document.locate(`/rules/${index}/when`));
    return [{ place: `/rules/${row}/when`, inputs, untried }];
  });
  const value = {
    deny: spec.deny,
    mode: spec.mode,
    rules:
      rules.length === 0
        ? undefined
        : rules.map(({ tool, server, decision, reason, flow, predicate }) => ({
            tool,
            server,
            decision,
            reason,
            flow,
            when: predicate === undefined ? undefined : (_: unknown, call: unknown) => predicate.evaluate(call),
          })),
  };
  const conditions = Object.fromEntries(sampled.map((each) => [each.place, each.inputs]));
  const question = { path, name: policyConstant, conditions, isPolicy: true };
  return { question, value, about: "the policy", untried: sampled.flatMap((each) => each.untried) };
}

interface Round {
  readonly constants: { readonly [name: string]: boolean };
  readonly isOpen: (name: string) => boolean;
}

/** Returns rounds that tell all gates apart, even from one that never opens: each opens by its binary digits. */
function roundsOf(gates: readonly string[]): readonly Round[] {
  const numbers = new Map([...new Set(gates)].map((gate, index) => [gate, index + 1]));
  // No number has all digits set.
  const digits = Math.ceil(Math.log2(numbers.size + 2));
  return Array.from({ length: digits }, (_, digit) => {
    const isOpen = (name: string): boolean => (((numbers.get(name) ?? 0) >> digit) & 1) === 1;
    return { constants: toRecord(numbers.keys(), isOpen), isOpen };
  });
}
