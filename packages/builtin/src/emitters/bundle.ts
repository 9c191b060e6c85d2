import { dropUndefined, groupBy, toRecord } from "@hasp/base/json";
import type { CompiledPredicate } from "@hasp/compiler/conditions";
import { describeTool } from "@hasp/compiler/plugins";
import type { FlatTool } from "@hasp/compiler";
import { flagsOfRow, VARYING_FLAGS } from "@hasp/runtime/contract";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { wrapInNamespaces } from "@hasp/schema/internal/entries";
import { keepLastMark } from "@hasp/schema/internal/keywords";
import { printJson } from "../typescript/json-text.js";
import type { BuildToEmit, EmittedToolset, Emitter, PartOf, ToolToEmit } from "./base/emitter.js";
import { listMembers } from "./registry.js";

type BundlePart = {
  readonly tool: JsonValue;
  readonly forms: { readonly [dialect: string]: BundleForm };
};

type BundleForm = { readonly wireName: string; readonly decoder: JsonValue; readonly entry: JsonObject };

/** `bundle.json` of each toolset: what a program in another language needs, as `hasp/schema/bundle.schema.json` describes it. */
export const bundle: Emitter<BundlePart | null> = {
  name: "bundle",
  part: (emitted) => (emitted.plan.bundle === true ? describeForBundle(emitted) : null),
  files: (build, partOf) =>
    build.plan.bundle === true
      ? build.toolsets.map((toolset) => ({
          path: build.layout.bundle(toolset.name),
          owner: "hasp",
          text: `${printJson(createBundle(toolset, build, partOf), 0)}\n`,
        }))
      : [],
};

export function describeForBundle({ tool, forms }: Pick<ToolToEmit, "tool" | "forms">): BundlePart {
  return {
    tool: dropUndefined({
      ...(describeTool(tool) as unknown as JsonObject),
      decision: describeDecision(tool),
      checks: tool.checks.map(({ that, message }) => dropUndefined({ that: describeCondition(that), message })),
      destination: tool.destination?.source,
      examples: tool.spec.examples as JsonValue | undefined,
    }),
    forms: Object.fromEntries(
      forms.flatMap((form) => {
        if (form.kind !== "listed") return [];
        const { wireName, lowering, definition: entry } = form.lowered;
        // A codec is plain JSON; its type only adds detail.
        const decoder = (lowering.codec ?? null) as JsonValue;
        return [[form.dialect, { wireName, decoder, entry }]];
      }),
    ),
  };
}

function describeDecision({ metadata: { concurrency, behavior }, flags, rules }: FlatTool): JsonObject {
  return {
    otherwise: {
      class: concurrency.class,
      ...toRecord(VARYING_FLAGS, (flag) => behavior[flag]),
    },
    flags: flags.map(({ flag, polarity, predicate }) => ({
      if: describeCondition(predicate),
      then: { [flag]: polarity === "when" },
      else: { [flag]: polarity !== "when" },
    })),
    rules: rules.map((rule) => ({
      if: describeCondition(rule.when),
      then: { class: rule.class, ...flagsOfRow(rule) },
    })),
  };
}

function describeCondition(condition: CompiledPredicate): JsonObject {
  return condition.kind === "custom" ? { custom: condition.name } : { cel: condition.source };
}

/** Puts the parts of a toolset's tools together. */
export function createBundle(
  toolset: EmittedToolset,
  { tools }: Pick<BuildToEmit, "tools">,
  partOf: PartOf<BundlePart | null>,
): JsonObject {
  const gates = new Map(tools.map(({ name, featureGate }) => [name, featureGate]));
  return {
    version: 1,
    toolset: toolset.name,
    tools: toRecord(listMembers(toolset), (name) => partOf(name)?.tool ?? null),
    dialects: Object.fromEntries(
      toolset.lists.map(({ dialect, tools: listed, later, namespaces }) => {
        const forms = listed.flatMap((tool) => {
          const form = partOf(tool)?.forms[dialect];
          return form === undefined ? [] : [{ tool, gate: gates.get(tool), ...form }];
        });
        const entriesOf = (some: readonly (typeof forms)[number][], mayKeepMark = false): JsonObject[] =>
          keepLastMark(
            some.map(({ entry }) => entry),
            mayKeepMark,
          );
        const { first, deferred, gated } = divideList(forms, later);
        const decoders = forms.filter(({ decoder }) => decoder !== null);
        return [
          dialect,
          {
            list: wrapInNamespaces(entriesOf(first, true), namespaces),
            deferred: entriesOf(deferred),
            gated: Object.fromEntries([...gated].map(([gate, some]) => [gate, entriesOf(some)])),
            names: Object.fromEntries(forms.map(({ wireName, tool }) => [wireName, tool])),
            decoders: Object.fromEntries(decoders.map(({ tool, decoder }) => [tool, decoder])),
          },
        ];
      }),
    ),
  };
}

/** Divides a list's tools into those of a first request, the deferred ones and those behind each feature gate. */
export function divideList<Listed extends { readonly tool: string; readonly gate: string | undefined }>(
  listed: readonly Listed[],
  later: readonly string[],
): {
  readonly first: readonly Listed[];
  readonly deferred: readonly Listed[];
  readonly gated: ReadonlyMap<string, readonly Listed[]>;
} {
  const ungated = listed.filter(({ gate }) => gate === undefined);
  return {
    first: ungated.filter(({ tool }) => !later.includes(tool)),
    deferred: ungated.filter(({ tool }) => later.includes(tool)),
    gated: groupBy(
      listed.filter(({ gate }) => gate !== undefined),
      ({ gate = "" }) => gate,
    ),
  };
}
