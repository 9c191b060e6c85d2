import { refusal } from "./http-messages.js";

interface ListStreams {
  /** Opens the stream of a client; 429 if its principal has too many, 503 if there are too many in all. */
  open(signal: AbortSignal, principal: string | undefined): Response;
  announce(): void;
  close(): void;
}

const MOST_STREAMS = 4096;
/** Keeps one principal from taking all streams. */
const MOST_OF_PRINCIPAL = 64;
/** Limits clients without a principal, on a server that only its machine reaches. */
const MOST_UNKNOWN = 1024;
/** Proxies close idle connections. */
const KEEP_ALIVE_MS = 15_000;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // nginx would otherwise buffer events.
  "x-accel-buffering": "no",
} as const;

const text = new TextEncoder();
const KEEP_ALIVE: Uint8Array = text.encode(": keepalive\n\n");
const CHANGED: Uint8Array = text.encode(
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
);

/** Keeps the streams on which clients of 2025-11-25 hear that the list of tools has changed. */
export function listStreams(): ListStreams {
  const open = new Map<ReadableStreamController, string | undefined>();
  let timer: unknown;

  function forget(controller: ReadableStreamController): void {
    open.delete(controller);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function send(bytes: Uint8Array): void {
    for (const controller of open.keys()) {
      // A slow reader is told once: a further notice says no more.
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(bytes);
    }
  }

  return {
    open(signal, principal) {
      if (open.size >= MOST_STREAMS) return refusal(503, "Too many streams are open.");
      const count = [...open.values()].filter((of) => of === principal).length;
      if (count >= (principal === undefined ? MOST_UNKNOWN : MOST_OF_PRINCIPAL)) {
        return refusal(429, `You have ${count} open streams, the most that are allowed. Close one first.`);
      }
      let own: ReadableStreamController | undefined;
      const body = new ReadableStream(
        {
          start(controller) {
            own = controller;
            open.set(controller, principal);
            timer ??= setInterval(() => send(KEEP_ALIVE), KEEP_ALIVE_MS);
            controller.enqueue(KEEP_ALIVE);
          },
          cancel() {
            if (own !== undefined) forget(own);
          },
        },
        { highWaterMark: 4 },
      );
      signal.addEventListener(
        "abort",
        () => {
          if (own === undefined || !open.has(own)) return;
          forget(own);
          own.close();
        },
        { once: true },
      );
      return new Response(body, { status: 200, headers: HEADERS });
    },
    announce: () => send(CHANGED),
    close() {
      for (const controller of open.keys()) {
        forget(controller);
        controller.close();
      }
    },
  };
}
