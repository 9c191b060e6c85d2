// The web platform APIs that this package uses, and no others. The type-checker sees neither Node's
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

interface TextDecoder {
  decode(bytes?: Uint8Array): string;
}
declare const TextDecoder: {
  new (encoding?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
  readonly prototype: TextDecoder;
};

interface CryptoKey {
  readonly type: string;
}
declare const crypto: {
  randomUUID(): string;
  getRandomValues(bytes: Uint8Array): Uint8Array;
  readonly subtle: {
    importKey(
      format: "raw",
      key: Uint8Array,
      algorithm: object,
      extractable: boolean,
      usages: string[],
    ): Promise<CryptoKey>;
    sign(algorithm: string, key: CryptoKey, bytes: Uint8Array): Promise<ArrayBuffer>;
    verify(algorithm: string, key: CryptoKey, signature: Uint8Array, bytes: Uint8Array): Promise<boolean>;
  };
};
declare function btoa(text: string): string;
declare function atob(text: string): string;

declare function setTimeout(callback: () => void, milliseconds?: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare function setInterval(callback: () => void, milliseconds: number): unknown;
declare function clearInterval(timer: unknown): void;
declare const performance: { now(): number };
/** Absent on some platforms. */
declare const process:
  | {
      readonly env: { readonly [name: string]: string | undefined };
      getBuiltinModule?(name: "crypto"): { hash?(algorithm: "sha256", text: string): string } | undefined;
      getBuiltinModule?(name: "module"): { createRequire(from: string): (name: string) => unknown } | undefined;
    }
  | undefined;

declare class URL {
  static canParse(url: string, base?: string | URL): boolean;
  constructor(url: string | URL, base?: string | URL);
  readonly href: string;
  readonly origin: string;
  readonly username: string;
  readonly password: string;
  readonly pathname: string;
  readonly search: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly searchParams: URLSearchParams;
}
declare class URLSearchParams {
  constructor(text: string);
  get(name: string): string | null;
  getAll(name: string): string[];
}

interface Headers extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  set(name: string, value: string): void;
}
declare const Headers: { new (headers?: unknown): Headers; readonly prototype: Headers };

interface ReadableStream {
  pipeThrough(transform: TransformStream): ReadableStream;
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
    cancel(): Promise<void>;
  };
}
interface ReadableStreamController {
  readonly desiredSize: number | null;
  enqueue(chunk: Uint8Array): void;
  close(): void;
}
declare const ReadableStream: {
  new (
    source: { start(controller: ReadableStreamController): void; cancel(): void },
    strategy: { highWaterMark: number },
  ): ReadableStream;
  readonly prototype: ReadableStream;
};
interface TransformStream {}
declare const TransformStream: {
  new (transformer: {
    transform(chunk: Uint8Array, controller: { enqueue(chunk: Uint8Array): void; error(reason: unknown): void }): void;
  }): TransformStream;
  readonly prototype: TransformStream;
};

interface Response {
  readonly body: ReadableStream | null;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  text(): Promise<string>;
}
declare const Response: {
  new (
    body: ReadableStream | Uint8Array | string,
    init: { status: number; statusText?: string; headers: Headers | Record<string, string> },
  ): Response;
  readonly prototype: Response;
};
interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ReadableStream | null;
  readonly signal: AbortSignal;
}
declare function fetch(url: unknown, init?: object): Promise<Response>;
