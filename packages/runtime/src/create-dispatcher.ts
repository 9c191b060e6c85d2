import { checkOptions } from "./dispatch/check-options.js";
import { createKernel } from "./dispatch/kernel.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const { extensions = [] } = options;
  const { extensions: ofRegistry = [] } = Object(options.tools) as Partial<DispatcherOptions>;
  const given = [...ofRegistry.filter(({ name }) => !extensions.some((each) => each.name === name)), ...extensions];
  if (options.flow === "note" && !given.some(({ name }) => name === "flow")) {
    throw new TypeError(
      'createDispatcher: `flow: "note"` needs the extension `informationFlow` of `@hasp/runtime/flow`.',
    );
  }
  return createKernel(options, given);
}
