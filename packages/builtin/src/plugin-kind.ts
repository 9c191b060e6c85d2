import type * as runtime from "@hasp/runtime/codegen/v1";
import type { FlatTool, CompilePlan } from "@hasp/compiler";
import { code, type Data, printObjectLiteral } from "@hasp/compiler/code";
import {
  expectWholeInput,
  findPluginKind,
  handlerDiagnostics,
  type HandlerKindParts,
  printWholeInput,
} from "@hasp/compiler/handlers";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { declarationOf } from "@hasp/compiler/model";
import { createRecordedCall, type PluginHandlerKind } from "@hasp/compiler/plugin";
import { createValidator, type JsonObject } from "@hasp/schema";

/** The code that kinds of plugins share: such a kind is data, which proves nothing. */
export const pluginKind: HandlerKindParts = {
  takesWholeInput: true,
  references: () => [],
  effects: () => [],
  /** Reports a declaration that the kind's schema refuses, and a package that is missing. */
  check(declaration, { spec }, reportWith, plan) {
    const report = reportWith(handlerDiagnostics);
    const kind = findKind(spec, plan);
    for (const { pointer, message } of createValidator(kind.declaration)(declaration).errors) {
      report("declaration", pointer, { name: kind.name, problem: message });
    }
    if (plan.missingPeers?.includes(kind.module) === true) {
      report("missing-module", "", { name: kind.name, module: kind.module });
    }
  },
  /** Prints the call of a plugin's function. Only data and names of imports come from the plugin. */
  print(declaration, { tool, types, plan }) {
    const kind = findKind(tool.spec, plan);
    const entries = { declaration: declaration as Data, input: printWholeInput(tool) };
    return {
      imports: { [CODEGEN_ENTRIES.runtime]: ["kindHandler"], [kind.module]: [`${kind.export} as run`] },
      comment: `${kind.name}: ${kind.summary}`,
      value: code`kindHandler<${types}>(run, ${printObjectLiteral(entries)})`,
    };
  },
  expect(declaration, { tool, plan }) {
    const { module, export: exported } = findKind(tool.spec, plan);
    const run = (...given: readonly unknown[]): unknown => createRecordedCall(exported, module, given);
    return createRecordedCall("kindHandler", CODEGEN_ENTRIES.runtime, [run, expectPluginSettings(declaration, tool)]);
  },
  answer: {
    entry: CODEGEN_ENTRIES.runtime,
    replace(functions, { output, error }, record) {
      const { kindHandler } = functions as typeof runtime;
      const answer = (_declaration: unknown, input: unknown): unknown => {
        record({ input: input ?? {} });
        if (error !== undefined) throw new Error(String(error));
        return output;
      };
      return {
        kindHandler: (_run: unknown, settings: Parameters<typeof kindHandler>[1]) => kindHandler(answer, settings),
      };
    },
  },
};

/** Expects the settings that a plugin's function receives. */
export function expectPluginSettings(
  declaration: JsonObject,
  tool: Pick<FlatTool, "spec">,
): { readonly [key: string]: unknown } {
  return { declaration, input: expectWholeInput(tool) };
}

/** Finds a spec's kind, whose absence the compiler has reported. */
function findKind(spec: FlatTool["spec"], plan: Pick<CompilePlan, "plugins">): PluginHandlerKind {
  const kind = findPluginKind(spec, plan);
  if (kind === undefined) throw new Error(`No plugin adds the handler kind ${declarationOf(spec)?.key}.`);
  return kind;
}
