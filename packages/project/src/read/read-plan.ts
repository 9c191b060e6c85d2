import { toPlan } from "../config/to-plan.js";
import { DAY_UNKNOWN, type ProjectPlan } from "@hasp/compiler/model";
import { dropUndefined } from "@hasp/base/json";
import type { Found } from "@hasp/base/diagnostics";
import { builtInPlugins } from "../plugins/built-in.js";
import { projectDiagnostics } from "./diagnostics.js";
import type { CompilerHost, PlanOptions } from "./host-questions.js";
import { readConfig, type ReadConfig } from "./read-config.js";

/** Reads the configuration of a project and fills its defaults; `undefined` if it is unusable. */
export async function readPlan(
  root: string,
  files: CompilerHost,
  { config: named, unlocked = false, isEarlier }: PlanOptions,
): Promise<Found<ProjectPlan | undefined>> {
  if (!(await files.ask("root", null))) {
    return { value: undefined, diagnostics: [projectDiagnostics("no-project", undefined, { root })] };
  }
  const options = { ...dropUndefined({ config: named, isEarlier }), unlocked };
  const { value: config, diagnostics } = await readConfig(root, files, options);
  if (config === undefined) return { value: undefined, diagnostics };
  // A program may read anything, and presets are searched for in many places: the whole plan is then the answer.
  if (!isOneText(config)) return files.ask("plan", options);
  return createPlan(config, options);
}

/** Reads the configuration and fills its defaults, however many files it consists of. */
export async function readWholePlan(
  root: string,
  files: CompilerHost,
  options: PlanOptions,
): Promise<Found<ProjectPlan | undefined>> {
  const { value, diagnostics } = await readConfig(root, files, options);
  return value === undefined ? { value, diagnostics } : createPlan(value, options);
}

function createPlan(config: ReadConfig, { unlocked = false }: PlanOptions): Found<ProjectPlan | undefined> {
  return toPlan({
    ...config,
    knownRules: builtInPlugins.rules.map((rule) => rule.id),
    unlocked,
    // Without a ledger, no approval is compared with it.
    today: DAY_UNKNOWN,
  });
}

function isOneText({ own, presets, ruleFiles }: ReadConfig): boolean {
  return presets.length + ruleFiles.length === 0 && (own === undefined || !/\.[cm]?[jt]s$/u.test(own.uri));
}
