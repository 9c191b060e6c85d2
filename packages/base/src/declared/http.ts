type ReadText = { readonly text: string } | { readonly fault: "too-large" | "unreadable" };

/** Reads a request's body as text, but no further than `maxBytes`. */
export async function readText({ headers, body }: Request, maxBytes: number): Promise<ReadText> {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) return { fault: "too-large" };
  if (body === null) return { fault: "unreadable" };
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) break;
      size += value.byteLength;
      if (size > maxBytes) {
        void reader.cancel().catch(() => undefined);
        return { fault: "too-large" };
      }
      parts.push(value);
    }
    return { text: new TextDecoder().decode(joined(parts, size)) };
  } catch {
    return { fault: "unreadable" };
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/**
 * Reads the target of a request line: its path and query below `http://localhost`. A host in it does not count, since
 * the `Host` header has one. Returns `undefined` for a target that has neither.
 */
export function readTarget(target = ""): URL | undefined {
  // Two slashes are a path here, and not the beginning of a host.
  const address = target.startsWith("/") ? `http://localhost${target}` : target;
  if (!URL.canParse(address)) return undefined;
  const { protocol, pathname, search } = new URL(address);
  return /^https?:$/u.test(protocol) ? new URL(`http://localhost${pathname}${search}`) : undefined;
}

/** Headers and parameters that override the request method at some services. */
const OVERRIDES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "x_http_method_override",
  "x_http_method",
  "x_method_override",
  "_method",
]);

/** True for a name that may replace the method. Some services take `.method` or ` _method[]` for `_method`. */
export function replacesMethod(name: string): boolean {
  return OVERRIDES.has(
    name
      .toLowerCase()
      .replaceAll(/[^a-z]+/gu, "_")
      .replace(/_$/u, ""),
  );
}
