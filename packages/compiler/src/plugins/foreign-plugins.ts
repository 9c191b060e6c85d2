import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "@hasp/base/diagnostics";
import { isObject } from "@hasp/base/json";
import type { SourceText, OutputFile } from "../model/document.js";
import type { CompilePlan, PluginPlan } from "../model/plan.js";
import type { CompiledModel } from "./compiled-model.js";
import { pluginDiagnostics } from "./diagnostics.js";

/** The plugins whose code runs elsewhere. Their answers are unchecked data. */
export interface ForeignPlugins {
  ask<Part extends keyof PluginRequests>(
    plugin: string,
    part: Part,
    request: PluginRequests[Part],
  ): Promise<PluginAnswer>;
}

/** The value that a plugin returned, or the reason why it returned none. `at` names the part that was running. */
export type PluginAnswer =
  | { readonly value: JsonValue | undefined }
  | { readonly reason: string; readonly at?: string };

export interface PluginRequests {
  readonly check: { readonly sources: readonly SourceText[]; readonly plan: CompilePlan };
  readonly emit: { readonly name: string; readonly model: CompiledModel };
  readonly read: { readonly name: string; readonly source: { readonly name: string; readonly text: string } };
  readonly print: { readonly name: string; readonly report: JsonValue };
}

/** Runs the rules of all plugins. A plugin can only add findings of its own rules; its other answers are ignored. */
export async function checkWithPlugins(
  foreign: ForeignPlugins | undefined,
  sources: readonly SourceText[],
  plan: CompilePlan,
): Promise<readonly Diagnostic[]> {
  const found = await Promise.all(
    (plan.plugins ?? []).map(async (plugin): Promise<readonly Diagnostic[]> => {
      if (foreign === undefined) return [pluginDiagnostics("not-run", plugin.location)];
      if (plugin.rules.length === 0) return [];
      const answer = await foreign.ask(plugin.name, "check", { sources, plan });
      if ("reason" in answer) return [failure(plugin, answer, "its rules")];
      const findings = readFindings(answer.value, plugin, sources);
      return typeof findings === "string" ? [reportWrongAnswer(plugin, "its rules", findings)] : findings;
    }),
  );
  return found.flat();
}

/** Emits the files of all plugins, each below its plugin's own folder. */
export async function emitWithPlugins(
  foreign: ForeignPlugins | undefined,
  model: () => CompiledModel,
  plan: CompilePlan,
): Promise<Found<readonly OutputFile[]>> {
  const files: OutputFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const plugin of plan.plugins ?? []) {
    for (const name of plugin.emitters) {
      const answer = (await foreign?.ask(plugin.name, "emit", { name, model: model() })) ?? {
        reason: "it was not run",
      };
      if ("reason" in answer) diagnostics.push(failure(plugin, answer, name));
      else {
        const emitted = readFiles(answer.value, `${plan.outDir}/${plugin.name}`, files);
        if (typeof emitted === "string") diagnostics.push(reportWrongAnswer(plugin, name, emitted));
        else files.push(...emitted);
      }
    }
  }
  return { value: diagnostics.length === 0 ? files : [], diagnostics };
}

export function failure(
  { name, location }: PluginPlan,
  { reason, at }: { readonly reason: string; readonly at?: string },
  part: string,
): Diagnostic {
  return pluginDiagnostics("failed", location, { plugin: name, part: at ?? part, reason });
}

export function reportWrongAnswer({ name, location }: PluginPlan, part: string, problem: string): Diagnostic {
  return pluginDiagnostics("wrong-answer", location, { plugin: name, part, problem });
}

const SEVERITIES = ["error", "warning", "info"] as const;

function readFindings(
  value: JsonValue | undefined,
  plugin: PluginPlan,
  sources: readonly SourceText[],
): readonly Diagnostic[] | string {
  if (!Array.isArray(value)) return "its findings are no list.";
  const ids = new Set(plugin.rules.map(({ id }) => id));
  const texts = new Map(sources.map(({ uri, text }) => [uri, text]));
  const found: Diagnostic[] = [];
  for (const each of value) {
    if (!isObject(each)) return "a finding is no object.";
    const { code, message, tool, help, fix, related } = each;
    const severity = SEVERITIES.find((name) => name === each["severity"]);
    if (typeof code !== "string" || !ids.has(code)) return `it reports "${String(code)}", which is no rule of its own.`;
    if (severity === undefined || typeof message !== "string") {
      return `a finding of "${code}" has no severity or message.`;
    }
    if (fix !== undefined) {
      return `"${code}" reports a fix. Only hasp's own rules may change a spec; say the remedy in \`help\`.`;
    }
    if (related !== undefined) return `"${code}" reports related places, which plugins cannot.`;
    const location = readLocation(each["location"], texts);
    if (location === undefined) {
      return `a finding of "${code}" has no place in a file of the project; take it from \`locate\`.`;
    }
    found.push({
      code,
      severity,
      message,
      location,
      ...(typeof tool === "string" ? { tool } : {}),
      ...(typeof help === "string" ? { help } : {}),
    });
  }
  return found;
}

function readLocation(value: JsonValue | undefined, texts: ReadonlyMap<string, string>): Location | undefined {
  if (!isObject(value) || !isObject(value["range"])) return undefined;
  const { uri, pointer, range } = value;
  const text = typeof uri === "string" ? texts.get(uri) : undefined;
  const [start, end] = [range["start"], range["end"]].map((position) => {
    if (!isObject(position)) return undefined;
    const { offset, line, column } = position;
    const isWhole = [offset, line, column].every(
      (each) => typeof each === "number" && Number.isInteger(each) && each >= 0,
    );
    return isWhole ? { offset: Number(offset), line: Number(line), column: Number(column) } : undefined;
  });
  if (text === undefined || typeof uri !== "string" || typeof pointer !== "string") return undefined;
  if (start === undefined || end === undefined || start.offset > end.offset || end.offset > text.length) {
    return undefined;
  }
  return { uri, pointer, range: { start, end } };
}

/** A path of names that mean a file on every system, with no way out of the folder. */
const PATH = /^(?!.*(?:\.(?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)))[\w.@+-]+(?:\/[\w.@+-]+)*$/iu;

/** Reads the files of an emitter, or names their fault. */
export function readFiles(
  value: JsonValue | undefined,
  folder: string,
  others: readonly OutputFile[],
): readonly OutputFile[] | string {
  if (!Array.isArray(value)) return "an emitter returns a list of { path, text }.";
  const seen = new Set(others.map(({ path }) => path.toLowerCase()));
  const files: OutputFile[] = [];
  for (const each of value) {
    if (!isObject(each) || typeof each["path"] !== "string" || typeof each["text"] !== "string") {
      return "each file is { path, text }, both texts.";
    }
    const { path, text } = each as { readonly path: string; readonly text: string };
    if (!PATH.test(path)) {
      return `it may only write below ${folder}/, and "${path}" is no portable path of letters, digits, "_", "-", "." and "/" in it.`;
    }
    const whole = `${folder}/${path}`;
    if (seen.has(whole.toLowerCase())) return `it writes "${whole}" twice.`;
    seen.add(whole.toLowerCase());
    files.push({ path: whole, owner: "hasp", text: text.replaceAll("\r\n", "\n") });
  }
  return files;
}
