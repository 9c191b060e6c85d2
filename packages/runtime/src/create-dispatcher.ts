import { checkOptions } from "./dispatch/check-options.js";
import { createKernel, type Kernel } from "./dispatch/kernel.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";
import type { DispatcherExtension } from "./dispatch/state/extension.js";
import type { StoredTurns } from "./extensions/durable/stored-turns.js";
import { loadOnce } from "./tool/callback.js";

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const { extensions = [] } = options;
  const { extensions: ofRegistry = [] } = Object(options.tools) as Partial<DispatcherOptions>;
  const durable = storedTurns(options as DispatcherOptions<never>);
  const isReplaced = ({ name }: DispatcherExtension): boolean => extensions.some((each) => each.name === name);
  if (options.callStore !== undefined && isReplaced(durable)) {
    throw new TypeError("createDispatcher: `callStore` and the extension `durable` keep calls; leave one out.");
  }
  if (options.programs !== undefined && extensions.some(({ name }) => name === "programs")) {
    throw new TypeError("createDispatcher: `programs` and the extension `programs` offer programs; leave one out.");
  }
  const attached = [...[durable, ...ofRegistry].filter((each) => !isReplaced(each)), ...extensions];
  if (options.flow === "note" && attached.every(({ name }) => name !== "flow")) {
    throw new TypeError(
      'createDispatcher: `flow: "note"` needs the extension `informationFlow` of `@hasp/runtime/flow`.',
    );
  }
  const kernel: Kernel<Context> = createKernel(options, attached);
  const { excluded: _now, ...rest } = kernel;
  const keeper = attached.find(({ name }) => name === durable.name) ?? durable;
  return Object.freeze({
    ...rest,
    ...(kernel.use(keeper) as Pick<Dispatcher<Context>, keyof StoredTurns<Context>>),
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
