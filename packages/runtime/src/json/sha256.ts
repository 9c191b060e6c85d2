import { portableSha256 } from "./portable-sha256.js";

/** SHA-256 of a string's UTF-8 bytes, in hexadecimal. */
export const sha256: (text: string) => string = /* @__PURE__ */ digestOfPlatform() ?? portableSha256;

/** Node's own digest takes a tenth of the time. It is not imported, so that this module loads everywhere. */
function digestOfPlatform(): ((text: string) => string) | undefined {
  const hash = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("crypto")?.hash;
  return hash && ((text) => hash("sha256", text));
}
