import { checkOptions } from "./dispatch/check-options.js";
import { createKernel, type Kernel } from "./dispatch/kernel.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";
import type { DispatcherExtension } from "./dispatch/state/extension.js";
import type { StoredTurns } from "./extensions/durable/stored-turns.js";
import { loadOnce } from "./tool/callback.js";

/** The options that an extension replaces: each with the extension's name, and what both do. */
const TAKEN_OVER = [
  ["callStore", "durable", "keep calls"],
  ["programs", "programs", "offer programs"],
] as const;

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const { extensions = [] } = options;
  const { extensions: ofRegistry = [] } = Object(options.tools) as Partial<DispatcherOptions>;
  const given = [...ofRegistry.filter(({ name }) => !extensions.some((each) => each.name === name)), ...extensions];
  const find = (name: string): DispatcherExtension | undefined => given.find((each) => each.name === name);
  for (const [option, name, both] of TAKEN_OVER) {
    if (options[option] !== undefined && find(name) !== undefined) {
      throw new TypeError(`createDispatcher: \`${option}\` and the extension \`${name}\` ${both}; leave one out.`);
    }
  }
  if (options.flow === "note" && find("flow") === undefined) {
    throw new TypeError(
      'createDispatcher: `flow: "note"` needs the extension `informationFlow` of `@hasp/runtime/flow`.',
    );
  }
  const keeper = find("durable") ?? storedTurns(options as DispatcherOptions<never>);
  const kernel: Kernel<Context> = createKernel(options, given.includes(keeper) ? given : [keeper, ...given]);
  const { excluded: _now, ...rest } = kernel;
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
