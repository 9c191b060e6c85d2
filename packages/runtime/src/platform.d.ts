// The web platform APIs that this package uses outside `src/node`, and no others. The type-checker sees neither Node's
// nor the DOM's types here, so that the core keeps running on edge workers.

interface EventTarget {
  addEventListener(type: string, listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: string, listener: () => void): void;
}

interface AbortSignal extends EventTarget {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController; readonly prototype: AbortController };

interface TextEncoder {
  encode(text: string): Uint8Array;
}
declare const TextEncoder: { new (): TextEncoder; readonly prototype: TextEncoder };

declare function setTimeout(callback: () => void, milliseconds?: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };
