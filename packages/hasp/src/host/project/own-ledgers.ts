import { posix } from "node:path";
import { policyName } from "../../ledger/ledger-file.js";
import type { CompilePlan } from "../../model/plan.js";
import { handlersIn } from "../output/previous-manifest.js";
import type { CompilerHost } from "./compiler-host.js";
import { CONFIG_NAMES } from "./config-names.js";

/** What tells which ledgers belong to a configuration. */
interface LedgerOwner {
  /** Path of the configuration, where it was named. */
  readonly config: string | undefined;
  readonly plan: CompilePlan;
  /** The names of its tools, which take time to find. */
  readonly tools: () => readonly string[];
  /** The paths of its policies. */
  readonly policies: readonly string[];
}

/**
 * Keeps the ledgers that belong to a configuration. Several configurations side by side share one folder of ledgers: to
 * each belong those of the tools and policies that it has, or had when it was last built.
 */
export async function ownLedgers(
  host: CompilerHost,
  ledgers: readonly string[],
  { config, plan, tools, policies }: LedgerOwner,
): Promise<readonly string[]> {
  if (ledgers.length === 0 || !(await isShared(host, config))) return ledgers;
  const manifest = await host.ask("text", { uri: `${plan.outDir}/manifest.json`, role: "config" });
  const text = manifest?.text ?? "";
  // The manifest lists the policies that were read among all other files.
  const inputs = [...text.matchAll(/^\s*"([^"\\]+)": "sha256-/gmu)].map(([, path = ""]) => path);
  const names = new Set([...tools(), ...handlersIn(text).keys(), ...[...policies, ...inputs].map(policyName)]);
  return ledgers.filter((path) => names.has(posix.basename(path).replace(/\.ya?ml$/u, "")));
}

/** True if other configurations may stand beside this one: it has a name of its own, or another file has. */
async function isShared(host: CompilerHost, config: string | undefined): Promise<boolean> {
  if (config !== undefined && !CONFIG_NAMES.some((name) => name === config)) return true;
  const { files } = await host.ask("folder", { folder: ".", endings: CONFIG_ENDINGS });
  return files.some((name) => /^hasp\.(?!config\.)[^.]+\.\w+$/u.test(name));
}

const CONFIG_ENDINGS: readonly string[] = CONFIG_NAMES.map((name) => posix.extname(name));
