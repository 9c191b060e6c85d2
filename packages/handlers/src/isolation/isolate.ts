import { type CallTracker, type ExecutionOptions, NotExecuted, type TrackedCall } from "@hasp/runtime";
import { messageOf } from "@hasp/runtime/internal";
import { type IsolateOptions, type RelativeModule, runInChild } from "./run-in-child.js";
import { findImporterModule } from "./start-child.js";
import { AsyncLocalStorage } from "node:async_hooks";
import { pathToFileURL } from "node:url";

/**
 * Makes an `execute` that runs its handler in a child process per call, in a process group that is killed as a whole.
 * The wall time holds even if this process is killed; the code of the error names the limit that ended the call. On
 * Linux, processes in other groups are killed too, unless they became daemons. Only JSON crosses. This contains faults
 * (a crash, a loop, a leak). It is not a sandbox: the handler has the user's rights, to files and the network too.
 */
export function isolate<Input = unknown, Output = unknown>(
  options: IsolateOptions,
): (input: Input, execution: ExecutionOptions<unknown>) => Promise<Output> {
  const module = readModule(options.module);
  const contextFactory =
    options.context === undefined
      ? undefined
      : { module: moduleUrl(options.context.module), exportName: options.context.export };
  if (options.timeoutSeconds !== "unlimited" && !(options.timeoutSeconds > 0)) {
    throw new TypeError('isolate: `timeoutSeconds` must be a number above 0 or "unlimited".');
  }
  for (const limit of ["memoryMb", "cpuSeconds", "outputMb"] as const) {
    const value = options[limit];
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue;
    throw new TypeError(`isolate: \`${limit}\` must be a finite number above 0; leave it out for no limit.`);
  }

  return async (input, execution) =>
    runInChild<Output>(options, execution, {
      type: "start",
      module: typeof module === "string" ? module : await locate(module),
      exportName: options.export ?? "execute",
      importer: findImporterModule(),
      contextFactory,
      input,
      callId: execution.callId,
      idempotencyKey: execution.idempotencyKey,
      class: execution.class,
      trace: execution.trace,
    });
}

function readModule(module: IsolateOptions["module"]): string | RelativeModule {
  return typeof module === "object" && "from" in module ? module : moduleUrl(module);
}

/** Finds the module's address. Rejects with `NotExecuted` if nothing knows it. */
async function locate({ path, from }: RelativeModule): Promise<string> {
  try {
    const found = await from();
    return new URL(path, typeof found === "string" ? pathToFileURL(found) : found.url).href;
  } catch (error) {
    throw new NotExecuted(`the place of its handler, ${path}, is unknown: ${messageOf(error)}`);
  }
}

function moduleUrl(module: string | URL): string {
  const url = String(module);
  if (!url.startsWith("file:")) {
    throw new TypeError(
      `isolate: \`module\` must be a file: URL, such as new URL("./handler.js", import.meta.url); it is "${url}".`,
    );
  }
  return url;
}

/**
 * Creates a tracker that follows each call through its `await`s. With `createDispatcher({ callTracker:
 * asyncCallTracker() })`, a handler that calls the dispatcher instead of its own `dispatch` gets an error instead of
 * waiting for itself.
 */
export function asyncCallTracker(): CallTracker {
  const storage = new AsyncLocalStorage<TrackedCall>();
  return {
    run: (call, body) => storage.run(call, body),
    current: () => storage.getStore(),
  };
}
