import {
  compile as compileWith,
  type CompileOptions,
  type CompileResult,
  type PlanInput,
  type Plugins,
  type SourceText,
} from "@hasp/compiler";
import { compileVersion as compileVersionWith } from "@hasp/compiler/diff";
import { completePlan } from "@hasp/compiler/model";
import { defineRule, type Rule } from "@hasp/compiler/plugin";
import { type CompileContext, type ContextInput, createContext, joinPlugins } from "@hasp/compiler/plugins";

const nameRule = (id: string, severity: Rule["severity"]): Rule =>
  defineRule({
    id,
    severity,
    summary: "It asks for nothing.",
    why: "It helps.",
    messages: {},
    examples: { bad: [], good: [] },
    checkTool: () => undefined,
  });

/** Rules that report nothing: of each severity, and one whose severity nobody can change. */
const rules: readonly Rule[] = [
  nameRule("naming/vague-name", "warning"),
  nameRule("description/when-not-to-use", "off"),
  nameRule("fail-closed/program-pattern", "error"),
];

/** Plugins without emitters and handler kinds. */
export const plugins: Plugins = joinPlugins([{ name: "test", rules }]);

/** Compiles with rules that report nothing. */
export const compile = async (
  sources: readonly SourceText[],
  plan: PlanInput = {},
  options: CompileOptions = {},
): Promise<CompileResult> => compileWith(sources, plan, { ...options, plugins: options.plugins ?? plugins });

export const compileVersion = async (
  given: Parameters<typeof compileVersionWith>[0],
): ReturnType<typeof compileVersionWith> => compileVersionWith(given, plugins);

/** Creates a context for tests. Nothing is configured and no file is given unless the test says so. */
export function testContext(given: Partial<ContextInput> = {}): CompileContext {
  return createContext({ plan: completePlan({}), documents: [], plugins, ...given });
}
