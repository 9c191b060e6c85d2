import { checkOptions } from "./dispatch/check-options.js";
import { createKernel, type Kernel } from "./dispatch/kernel.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";
import type { DispatcherExtension } from "./dispatch/state/extension.js";
import type { StoredTurns } from "./extensions/durable/stored-turns.js";
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
  const durable = storedTurns(options as DispatcherOptions<never>);
  if (options.callStore !== undefined && isReplaced(durable)) {
    throw new TypeError("createDispatcher: `callStore` and the extension `durable` keep calls; leave one out.");
  }
  const own = [informationFlow, durable, toolSearch, liveTools];
  const attached = [...own.filter((each) => !isReplaced(each)), ...extensions];
  const kernel: Kernel<Context> = createKernel({ ...options, resultStore }, attached);
  const { excluded: _now, ...rest } = kernel;
  const apis = [informationFlow, durable].map(({ name }) => attached.findLast((each) => each.name === name));
  return Object.freeze({
    ...rest,
    ...(Object.assign({}, ...apis.map((each) => each && kernel.use(each))) as Pick<
      Dispatcher<Context>,
      keyof FlowApi | keyof StoredTurns<Context>
    >),
    get excluded() {
      return kernel.excluded;
    },
  });
}

/** Keeps the turns of `run` in a call store. Without one, its functions reject. */
function storedTurns(options: DispatcherOptions<never>): DispatcherExtension<StoredTurns<never>> {
  const { callStore: store, principal = "" } = options;
  return {
    name: "durable",
    attach(host) {
      const load = loadOnce(async () => {
        if (store === undefined) {
          throw new TypeError("createDispatcher: `run`, `resume` and `answer` need a `callStore`.");
        }
        const { createStoredTurns } = await import("./extensions/durable/stored-turns.js");
        return createStoredTurns({ ...options, store }, host);
      });
      const api: StoredTurns<never> = {
        run: async (...given) => (await load()).run(...given),
        resume: async (...given) => (await load()).resume(...given),
        answer: async (...given) => (await load()).answer(...given),
      };
      if (store === undefined) return { api };
      return { api, owns: ["keep"], keepsOrder: store.keepsOrder, conversation: principal, labelStore: store };
    },
  };
}
