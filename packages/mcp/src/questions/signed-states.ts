import { dropUndefined, fromBase64Url, toBase64Url } from "@hasp/base/json";
import type { PermissionRequest } from "@hasp/runtime";
import { hasHardened } from "@hasp/runtime/internal";

/** Signs states for clients, and opens states that they send back. */
export interface SignedStates {
  /** Signs a text about a call that only the same principal can send back, once, before it expires. */
  sign(asked: PermissionRequest, principal: string | undefined): Promise<string>;
  /** Rejects with {@link InvalidState} if a text was not signed here for this principal, or has expired. */
  open(state: string, principal: string | undefined): Promise<OpenedState>;
}

interface OpenedState {
  /** True for the call that it was signed for, unless that counts as more harmful now. */
  isAbout(request: PermissionRequest): boolean;
  /** Returns true on the first call for this state, and then false. */
  use(): boolean;
}

export class InvalidState extends Error {
  readonly code = -32602;
  readonly data: { readonly reason: string } = { reason: "invalid_request_state" };

  constructor() {
    super("Invalid or expired requestState.");
  }
}

const KEY_BYTES = 32;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
/** Limits the remembered states: the oldest expires with the key that made it. */
const MOST_USED = 100_000;

interface Payload {
  readonly subject: string;
  readonly shown: Pick<PermissionRequest, "class" | "isDestructive" | "refuseOnly">;
  readonly nonce: string;
  readonly expires: number;
}

/** Signs with HMAC-SHA-256. The principal is signed, but not part of the text. */
export function createSignedStates({
  key,
  ttlSeconds,
}: {
  key: Uint8Array | undefined;
  ttlSeconds: number;
}): SignedStates {
  if (key !== undefined && key.byteLength < KEY_BYTES) {
    throw new RangeError(`mcpQuestions: \`key\` must have at least ${KEY_BYTES} bytes.`);
  }
  const used = new Map<string, number>();
  const bytes = new Uint8Array(key ?? crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  const describe = ({ digestUnder, toolDigest }: PermissionRequest): string =>
    `${digestUnder(`subject ${toBase64Url(bytes)}`)} ${toolDigest}`;
  let imported: Promise<CryptoKey> | undefined;
  const importedKey = (): Promise<CryptoKey> =>
    (imported ??= crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["sign", "verify"]));

  const use = ({ nonce, expires }: Payload): boolean => {
    const now = Date.now();
    for (const [old, expiry] of used) {
      if (expiry > now && used.size < MOST_USED) break;
      used.delete(old);
    }
    if (used.has(nonce)) return false;
    used.set(nonce, expires);
    return true;
  };

  return {
    async sign(asked, principal) {
      const { isDestructive, refuseOnly } = asked;
      const payload: Payload = {
        subject: describe(asked),
        shown: dropUndefined({ class: asked.class, isDestructive, refuseOnly }),
        nonce: crypto.randomUUID(),
        expires: Date.now() + ttlSeconds * 1000,
      };
      const text = toBase64Url(new TextEncoder().encode(JSON.stringify(payload)));
      const signature = await crypto.subtle.sign(ALGORITHM.name, await importedKey(), signedBytes(text, principal));
      return `${text}.${toBase64Url(new Uint8Array(signature))}`;
    },
    async open(state, principal) {
      const [text = "", signature = "", ...more] = state.split(".");
      const bytes = more.length === 0 ? fromBase64Url(signature) : undefined;
      const isOurs =
        bytes !== undefined &&
        (await crypto.subtle.verify(ALGORITHM.name, await importedKey(), bytes, signedBytes(text, principal)));
      const payload = isOurs ? (JSON.parse(new TextDecoder().decode(fromBase64Url(text))) as Payload) : undefined;
      if (payload === undefined || payload.expires <= Date.now()) throw new InvalidState();
      return {
        isAbout: (request) => payload.subject === describe(request) && !hasHardened(payload.shown, request),
        use: () => use(payload),
      };
    },
  };
}

function signedBytes(text: string, principal: string | undefined): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([text, principal ?? null]));
}
