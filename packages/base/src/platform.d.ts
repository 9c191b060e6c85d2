// The web platform APIs that this package uses, and no others: the ground runs anywhere.

interface TextEncoder {
  encode(text: string): Uint8Array;
}
declare const TextEncoder: { new (): TextEncoder; readonly prototype: TextEncoder };
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
