// The web platform APIs that this package uses, and no others: the ground runs anywhere.

interface TextEncoder {
  encode(text: string): Uint8Array;
}
declare const TextEncoder: { new (): TextEncoder; readonly prototype: TextEncoder };
interface TextDecoder {
  decode(bytes?: Uint8Array): string;
}
declare const TextDecoder: { new (): TextDecoder; readonly prototype: TextDecoder };

declare class URL {
  static canParse(url: string): boolean;
  constructor(url: string);
  readonly protocol: string;
  readonly pathname: string;
  readonly search: string;
}
interface Headers {
  get(name: string): string | null;
}
interface ReadableStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
    cancel(): Promise<void>;
  };
}
interface Request {
  readonly headers: Headers;
  readonly body: ReadableStream | null;
}

declare function btoa(text: string): string;
declare function atob(text: string): string;
/** Absent on some platforms. */
declare const process:
  | {
      getBuiltinModule?(name: "crypto"): { hash?(algorithm: "sha256", text: string): string } | undefined;
      getBuiltinModule?(name: "module"): { createRequire(from: string): (name: string) => unknown } | undefined;
    }
  | undefined;
interface ImportMeta {
  readonly url: string;
}
