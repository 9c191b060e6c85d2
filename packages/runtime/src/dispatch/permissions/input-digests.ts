import { canonicalText, sha256 } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { AnyTool } from "../../tool/definition.js";
import { declaresSecrets } from "../../tool/secrets.js";

interface DigestedCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly entry: { readonly tool: AnyTool } | undefined;
}

/**
 * Digests tool and input of calls, so that answers are bound to them. A short secret could be found by digesting all
 * candidates: where a tool declares secrets, its digests depend on a random key.
 */
export class InputDigests {
  #key: string | undefined;
  readonly #hasSecrets = new WeakMap<AnyTool, boolean>();

  /** Returns the digest of a call. Default of `key`: the key of this object, made when a call first needs it. */
  digest({ toolName, input, entry }: DigestedCall, key?: string): string {
    const text = `${toolName}\n${input === undefined ? "" : canonicalText(input as JsonValue)}`;
    if (!this.isKeyed(entry?.tool)) return sha256(text);
    return sha256(`${key ?? (this.#key ??= crypto.randomUUID())}\n${text}`);
  }

  /** True if the digests of a tool depend on a key. */
  isKeyed(tool: AnyTool | undefined): boolean {
    if (tool === undefined) return false;
    let isKeyed = this.#hasSecrets.get(tool);
    if (isKeyed === undefined) this.#hasSecrets.set(tool, (isKeyed = declaresSecrets(tool.input)));
    return isKeyed;
  }
}
