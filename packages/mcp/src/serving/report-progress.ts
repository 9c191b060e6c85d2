import type { JsonValue } from "@hasp/schema";
import type { ServerRequest } from "../questions/server-request.js";

/**
 * Turns progress reports into `notifications/progress`: a number is the progress, a string the message, and an object
 * may have `progress`, `total` and `message`. The protocol requires progress to grow; any other value is replaced by
 * the last one plus one.
 */
export function createProgressReporter(
  progressToken: string | number,
  notify: ServerRequest["notify"],
): (update: JsonValue) => void {
  let last = 0;
  return (update) => {
    const { progress, total, message } = partsOf(update);
    last = progress !== undefined && progress > last ? progress : last + 1;
    const params = {
      progressToken,
      progress: last,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    // A client that is gone does not stop the call.
    void notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

interface Parts {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

function partsOf(update: JsonValue): Parts {
  if (typeof update === "number") return { progress: update };
  if (typeof update === "string") return { message: update };
  if (typeof update !== "object" || update === null || Array.isArray(update)) return {};
  const { progress, total, message } = update as { readonly [key: string]: JsonValue };
  return {
    ...(typeof progress === "number" && { progress }),
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}
