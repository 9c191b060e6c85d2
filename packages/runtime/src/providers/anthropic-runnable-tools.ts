import type { AnthropicTool } from "../codegen/v1/provider-lists.js";
import type { Dispatcher } from "../dispatch/state/dispatcher-types.js";
import { plainText } from "../results/text.js";
import { callsOneByOne } from "./calls-one-by-one.js";
import { toToolResultBlocks, type AnthropicResultContent } from "./anthropic-tool-results.js";

export interface ToAnthropicRunnableToolsOptions<Context> {
  /** `anthropic` (default) or `anthropic-strict`: the list that the model sees. */
  readonly dialect?: "anthropic" | "anthropic-strict" | undefined;
  readonly context?: Context | undefined;
}

/** The part of the runner's context that is used. */
export interface AnthropicRunContext {
  readonly toolUse: { readonly id: string };
  readonly signal?: AbortSignal | null | undefined;
}

/** A tool for `client.beta.messages.toolRunner({ tools })`: the entry for the API, and the function that runs it. */
export interface AnthropicRunnableTool extends AnthropicTool {
  parse: (input: unknown) => unknown;
  run: (input: unknown, context?: AnthropicRunContext) => Promise<AnthropicResultContent[]>;
}

/**
 * Creates the dispatcher's tools for the tool runner of Anthropic's package. The runner may start all calls of a reply
 * at once; the dispatcher still schedules them. A failed call throws, because the runner takes errors that way; its
 * message is the one for the model.
 *
 * Create a set for each conversation: calls that overlap in one set count as calls of one reply.
 */
export function toAnthropicRunnableTools<Context = unknown>(
  dispatcher: Dispatcher<Context>,
  { dialect = "anthropic", context }: ToAnthropicRunnableToolsOptions<Context> = {},
): AnthropicRunnableTool[] {
  const run = callsOneByOne(dispatcher);
  let unnamed = 0;
  return dispatcher.definitions(dialect).map((entry) => {
    const definition = entry as unknown as AnthropicTool;
    return {
      ...definition,
      parse: (input) => input,
      async run(input, runContext) {
        // A caller of `run` may leave the context out; each such call counts as separate.
        const id = runContext?.toolUse.id ?? `unnamed-${++unnamed}`;
        const signal = runContext?.signal ?? undefined;
        const result = await run({ id, name: definition.name, input, dialect }, { signal, context });
        if (result.isError) throw new ToolFailure(plainText(result.content));
        return toToolResultBlocks([result])[0]?.content ?? [];
      },
    };
  });
}

/** An error result in the form the runner expects. */
class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
