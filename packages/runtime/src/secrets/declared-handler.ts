import type { JsonValue } from "@hasp/schema";
import { deservesRetry } from "../dispatch/pipeline/transient.js";
import { cut, messageOf } from "../results/text.js";
import { NotExecuted, toolResult, type MarkedResult, type ToolResultParts } from "../results/tool-result.js";
import { readProperty } from "../tool/callback.js";
import type { ExecutionOptions } from "../tool/definition.js";
import { Redactor, type Redacted, type SecretPatterns } from "./redactor.js";

/** The `execute` of a tool that is declared. What leaves it holds no secret of its connection. */
export type DeclaredHandler<Input, Context> = (
  input: Input,
  options: ExecutionOptions<Context>,
) => Promise<Redacted<MarkedResult>>;

/** The options of one call, without its ways out: it reports by {@link CallExit}. */
export type CallOptions<Context> = Omit<ExecutionOptions<Context>, "progress" | "dispatch">;

interface RecordedOptions {
  /** Tells the tape of a recorded call what to hide. */
  readonly hide?: ((secret: string) => void) | undefined;
}

interface CallExit {
  readonly secrets: Redactor;
  readonly progress: (update: unknown) => void;
}

/** Every way in which data leaves a call. A further one, such as a recording, is one more row of {@link EXIT}. */
interface Channels {
  readonly result: MarkedResult;
  readonly error: Error;
  readonly progress: JsonValue;
}

const EXIT: {
  readonly [Channel in keyof Channels]: (secrets: Redactor, value: unknown) => Redacted<Channels[Channel]>;
} = {
  result: redactResult,
  error: redactError,
  progress: (secrets, update) => secrets.value(update) ?? (null as Redacted<null>),
};

/** Creates the handler of a declaration. Everything leaves through {@link EXIT}, which takes out the secrets. */
export function declaredHandler<Input, Context>(
  patterns: SecretPatterns,
  run: (input: Input, options: CallOptions<Context>, exit: CallExit) => Promise<MarkedResult>,
): DeclaredHandler<Input, Context> {
  return async (input, options) => {
    const secrets = new Redactor(patterns);
    const progress = (update: unknown): void => options.progress(EXIT.progress(secrets, update));
    try {
      return EXIT.result(secrets, await run(input, options, { secrets, progress }));
    } catch (error) {
      // The reason of an abort is the host's.
      if (options.signal.aborted && error === options.signal.reason) throw error;
      throw EXIT.error(secrets, error);
    } finally {
      const { hide } = options as RecordedOptions;
      if (hide !== undefined) for (const secret of secrets.secrets) hide(secret);
    }
  };
}

const IS_REDACTED: { readonly [Part in keyof ToolResultParts]-?: boolean } = {
  content: true,
  output: true,
  details: true,
  terminate: false,
  isError: false,
  code: false,
  effect: false,
  untrusted: false,
  private: false,
};

function redactResult(secrets: Redactor, result: unknown): Redacted<MarkedResult> {
  const parts = Object.entries(IS_REDACTED).flatMap(([part, isRedacted]) => {
    const value = readProperty(result, part);
    return value === undefined ? [] : [[part, isRedacted ? secrets.value(value) : value]];
  });
  return toolResult(Object.fromEntries(parts) as ToolResultParts) as Redacted<MarkedResult>;
}

const MESSAGE_LIMIT = 2000;

/** Copies the message of an error and the properties that retries read, without its causes and its stack. */
function redactError(secrets: Redactor, thrown: unknown): Redacted<Error> {
  const message = cut(secrets.text(messageOf(thrown)), MESSAGE_LIMIT);
  const isHarmless = readProperty(thrown, "code") === "not-executed";
  const error = isHarmless ? new NotExecuted(message) : new Error(message);
  const facts = Object.entries({
    name: readProperty(thrown, "name"),
    code: readProperty(thrown, "code"),
    status: readProperty(thrown, "status"),
    retryable: deservesRetry(thrown),
    retryAfterSeconds: readProperty(thrown, "retryAfterSeconds"),
  }).flatMap(([fact, value]) => (value === undefined ? [] : [[fact, secrets.value(value)]]));
  return Object.assign(error, Object.fromEntries(facts)) as unknown as Redacted<Error>;
}
