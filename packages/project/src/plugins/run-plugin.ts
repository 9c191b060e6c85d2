import { isStructured } from "@hasp/base/json";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { checkRules, joinPlugins, type PluginRequests } from "@hasp/compiler/plugins";
import type { Rule, Plugin } from "@hasp/compiler/plugin";
import { withoutRules } from "./built-in.js";
import { PartError } from "./describe-plugin.js";

/** Runs a plugin's rules over the project's tools. `onPart` receives each rule's id first. Throws if a rule does. */
export async function checkWithPlugin(
  { name, rules = [] }: Plugin,
  { sources, plan }: PluginRequests["check"],
  onPart: (id: string) => void,
): Promise<readonly Diagnostic[]> {
  const failures: PartError[] = [];
  const guarded = rules.map((rule) => guardRule(rule, onPart, failures));
  const plugins = joinPlugins([...withoutRules, { name, rules: guarded }]);
  const found = await checkRules(sources, plan, plugins);
  const crash = failures[0] ?? found.find(({ code }) => code === "check/rule-crashed")?.message;
  if (crash !== undefined) throw crash instanceof PartError ? crash : new TypeError(crash);
  return found;
}

/** Wraps a rule: announces each run, notes its errors, and throws if it returns a value, which nothing would await. */
function guardRule(rule: Rule, onPart: (id: string) => void, failures: PartError[]): Rule {
  const guard = (holder: object, keys: readonly string[], mayAnswer: readonly string[]): object =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const run: unknown = Reflect.get(holder, key);
        if (typeof run !== "function") return [];
        const guarded = (...given: readonly unknown[]): unknown => {
          onPart(rule.id);
          try {
            const answer: unknown = Reflect.apply(run, holder, given);
            if (answer instanceof Promise) throw new TypeError(`${key} is async; a rule reports before it returns`);
            if (key === "visitTool" && isStructured(answer)) {
              return guard(answer, ["input", "parameter", "output", "text", "end"], []);
            }
            if (answer === undefined || mayAnswer.includes(key)) return answer;
            throw new TypeError(`${key} returns a value; a rule reports with \`report\``);
          } catch (error) {
            failures.push(new PartError(rule.id, error));
            throw error;
          }
        };
        return [[key, guarded]];
      }),
    );
  return { ...rule, ...guard(rule, ["checkTool", "visitTool", "readTool", "checkProject"], ["readTool"]) };
}
