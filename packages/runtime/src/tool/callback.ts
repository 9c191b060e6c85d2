export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/** Returns the answer of a synchronous callback. Throws a `TypeError` for a promise and handles its rejection. */
export function answerNow(answer: unknown): unknown {
  if (!isThenable(answer)) return answer;
  ignoreRejection(answer);
  throw new TypeError("it must return a value, not a promise");
}

export function answerBoolean(answer: unknown): boolean {
  const value = answerNow(answer);
  if (typeof value !== "boolean") throw new TypeError("it must answer true or false");
  return value;
}

/** Wraps a listener so that its failure never changes the code that calls it. */
export function guard<Argument>(
  listener: ((argument: Argument) => unknown) | undefined,
): ((argument: Argument) => void) | undefined {
  if (listener === undefined) return undefined;
  return (argument) => {
    try {
      ignoreRejection(listener(argument));
    } catch {
      // Ignore: a listener only watches.
    }
  };
}

function ignoreRejection(answer: unknown): void {
  if (isThenable(answer)) Promise.resolve(answer).catch(() => undefined);
}

/** Loads something once. A failed load is repeated on the next call. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Reads a property of a value that anybody made, such as a thrown one; an unreadable one is absent. */
export function readProperty(thrown: unknown, name: string): unknown {
  try {
    return typeof thrown === "object" && thrown !== null ? (thrown as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}
