// Each plugin runs in its own thread: its code sees copies, and can neither end nor change the process that compiles.
import { workerData } from "node:worker_threads";
import type { JsonValue } from "@hasp/schema";
import { readOwnMember } from "@hasp/base/json";
import type { PluginAnswer, PluginRequests } from "@hasp/compiler/plugins";
import type { Plugin } from "@hasp/compiler/plugin";
import { firstLine } from "@hasp/base/diagnostics";
import { describePlugin, PartError } from "./describe-plugin.js";
import { importModule } from "../modules/import-module.js";
import { answerQuestions } from "../processes/answer-questions.js";
import type { PluginQuestion, WorkerData } from "./plugin-host.js";

const { url, part } = workerData as WorkerData;
// Standard output is for findings.
process.stdout.write = process.stderr.write.bind(process.stderr);
const plugin = importModule(url).then((loaded) => (loaded as { readonly default?: Plugin }).default);
plugin.catch(() => undefined);

/** Tells the host the number of the running part, so that it can name the part that hangs. */
function runs(name: string, names: readonly string[]): void {
  Atomics.store(part, 0, names.indexOf(name) + 1);
}

async function answer({ kind, request }: PluginQuestion): Promise<JsonValue | undefined> {
  const loaded = await plugin;
  if (kind === "describe") {
    if (loaded === undefined) throw new TypeError("it has no default export");
    return describePlugin(loaded);
  }
  if (loaded === undefined) return undefined;
  if (kind === "check") {
    // The compiler takes longer to load than a plugin; only rules need it.
    const { checkWithPlugin } = await import("./run-plugin.js");
    const ids = (loaded.rules ?? []).map(({ id }) => id);
    const found = await checkWithPlugin(loaded, request as PluginRequests["check"], (id) => runs(id, ids));
    return JSON.parse(JSON.stringify(found)) as JsonValue;
  }
  const { name, ...given } = request as PluginRequests["emit"];
  const parts = { emit: loaded.emitters, read: loaded.importers, print: loaded.reporters }[kind] ?? [];
  const found: unknown = parts.find((each) => each.name === name);
  const run = readOwnMember(found, kind);
  if (typeof run !== "function") throw new TypeError(`it has no ${name}`);
  return (await Reflect.apply(run, found, Object.values(given))) as JsonValue;
}

answerQuestions(async (asked: PluginQuestion): Promise<PluginAnswer> => {
  try {
    return { value: await answer(asked) };
  } catch (error) {
    return error instanceof PartError
      ? { reason: firstLine(error.reason), at: `"${error.part}"` }
      : { reason: firstLine(error) };
  }
});
