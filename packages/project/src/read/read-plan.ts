import { toPlan, type ProjectPlan } from "../../../compiler/src/config/to-plan.js";
import type { Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import { rules } from "../../../compiler/src/builtin/rules/index.js";
import { projectDiagnostics } from "./diagnostics.js";
import type { CompilerHost } from "./compiler-host.js";
import { readConfig, type ReadConfig } from "./read-config.js";

/** What decides about a plan beside the configuration. */
export interface PlanOptions {
  /** Path of the configuration, relative to the root. */
  readonly config?: string;
  /** Go on without approvals. */
  readonly unlocked?: boolean;
}

/** No approval is held against this day: where one is read, the day is asked for. */
const DAY_OF_NO_LEDGER = "9999-12-31";

/** Reads the configuration of a project and fills its defaults; `undefined` where it cannot be used. */
export async function readPlan(
  root: string,
  files: CompilerHost,
  { config: named, unlocked = false }: PlanOptions,
): Promise<Found<ProjectPlan | undefined>> {
  if (!(await files.ask("root", null))) {
    return { value: undefined, diagnostics: [projectDiagnostics("no-project", undefined, { root })] };
  }
  const { value: config, diagnostics } = await readConfig(root, files, named);
  if (config === undefined) return { value: undefined, diagnostics };
  // A program may look at anything, and presets are searched for in many places: there the plan as a whole is the
  // answer.
  if (!isOneText(config)) return files.ask("plan", { ...(named === undefined ? {} : { config: named }), unlocked });
  return planOf(config, { unlocked });
}

/** The plan of a configuration that was read. */
export function planOf(config: ReadConfig, { unlocked = false }: PlanOptions): Found<ProjectPlan | undefined> {
  return toPlan({ ...config, knownRules: rules.map((rule) => rule.id), unlocked, today: DAY_OF_NO_LEDGER });
}

function isOneText({ own, presets }: ReadConfig): boolean {
  return presets.length === 0 && (own === undefined || !/\.[cm]?[jt]s$/u.test(own.uri));
}
