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
declare function atob(base64: string): string;
declare function btoa(bytes: string): string;
/** Absent on some platforms. */
declare const process: { readonly env: { readonly [name: string]: string | undefined } } | undefined;

/** An optional peer, of which one class is used. */
declare module "pg" {
  const pg: {
    readonly Pool: new (options: object) => {
      connect(): Promise<{
        query(text: string, values?: unknown[]): Promise<unknown>;
        release(destroy?: boolean): void;
      }>;
      end(): Promise<void>;
      on(event: "error", listener: () => void): void;
    };
  };
  export default pg;
}
