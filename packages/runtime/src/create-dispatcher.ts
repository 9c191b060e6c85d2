import { checkOptions } from "./dispatch/check-options.js";
import { createKernel, type Kernel } from "./dispatch/kernel.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";
import type { DispatcherExtension } from "./dispatch/state/extension.js";
import type { DurableOptions, StoredTurns } from "./dispatch/stored-turns.js";
import { type FlowApi, informationFlow } from "./extensions/flow/information-flow.js";
import { liveTools } from "./extensions/live/mcp-entry.js";
import { toolSearch } from "./extensions/search/tool-search.js";
import { memoryResultStore } from "./results/memory-result-store.js";
import { loadOnce } from "./tool/callback.js";

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const { resultStore = memoryResultStore(), extensions = [] } = options;
  const isReplaced = ({ name }: DispatcherExtension): boolean => extensions.some((each) => each.name === name);
  const durable = durableCalls(options as DispatcherOptions<never>);
  const own = [informationFlow, durable, toolSearch, liveTools];
  const attached = [...own.filter((each) => !isReplaced(each)), ...extensions];
  const kernel: Kernel<Context> = createKernel({ ...options, resultStore }, attached);
  const { excluded: _now, ...rest } = kernel;
  const apis = [informationFlow, durable].map(({ name }) => attached.findLast((each) => each.name === name));
  return Object.freeze({
    ...rest,
    ...(Object.assign({}, ...apis.map((each) => each && kernel.use(each))) as Pick<
      Dispatcher<Context>,
      keyof FlowApi | keyof StoredTurns
    >),
    get excluded() {
      return kernel.excluded;
    },
  });
}

/** Keeps the turns of `run` in a call store. Without one, each of its functions rejects with a `TypeError`. */
function durableCalls(options: DurableOptions): DispatcherExtension<StoredTurns> {
  return {
    name: "durable",
    attach(host) {
      const load = loadOnce(async () => {
        const { createStoredTurns } = await import("./dispatch/stored-turns.js");
        return createStoredTurns(options, host);
      });
      const api: StoredTurns = {
        run: async (...given) => (await load()).run(...given),
        resume: async (...given) => (await load()).resume(...given),
        answer: async (...given) => (await load()).answer(...given),
      };
      const { callStore, principal } = options;
      if (callStore === undefined) return { api };
      const { keepsOrder } = callStore;
      return { api, owns: ["keep"], keepsOrder, conversation: principal ?? "", labelStore: callStore };
    },
  };
}
