import type { ExecutionOptions } from "@hasp/runtime";
import type { IsolateOptions } from "./isolate-options.js";
import { runInChild, importerModule } from "./run-in-child.js";

/**
 * Makes an `execute` that runs its handler in a child process per call: a process group that is killed as a whole, an
 * environment of the named variables only, a wall time that holds even if this process is killed, and optional limits
 * on memory, CPU time and output; the code of the error names the limit that ended the call. On Linux, processes that
 * the handler started in other groups are killed too, unless they became daemons. Only JSON crosses the channel, and
 * anything else on it fails the call. This contains faults (a crash, a loop, a leak). It is not a sandbox: the handler
 * has the user's rights, to files and the network too.
 */
export function isolate<Input = unknown, Output = unknown>(
  options: IsolateOptions,
): (input: Input, execution: ExecutionOptions<unknown>) => Promise<Output> {
  const module = moduleUrl(options.module);
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

  return (input, execution) =>
    runInChild<Output>(options, execution, {
      type: "start",
      module,
      exportName: options.export ?? "execute",
      importer: importerModule(),
      contextFactory,
      input,
      callId: execution.callId,
      idempotencyKey: execution.idempotencyKey,
      class: execution.class,
      trace: execution.trace,
    });
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
