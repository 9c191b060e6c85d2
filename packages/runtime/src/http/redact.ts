/** Shorter texts are found in too many others, and no service takes them for a secret. */
const SHORTEST = 4;

const MARK = "[redacted]";

/** Replaces secrets in what a service answers, whichever common form it gives them. */
export type Redact = (text: string) => string;

/** A function that replaces each of the secrets, as it is and encoded for JSON, URLs, HTML and base64. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf));
  // Longer forms first: one may be a part of another.
  const sorted = [...forms].toSorted((left, right) => right.length - left.length);
  return (text) => sorted.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, MARK) : rest), text);
}

function formsOf(secret: string): readonly string[] {
  const encoded = encodeURIComponent(Buffer.from(secret).toString());
  return [
    secret,
    // UTF-8 that is taken for Latin-1.
    Buffer.from(secret).toString("latin1"),
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll("%20", "+"),
    encoded.replaceAll(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase()),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ...base64Forms(secret),
  ];
}

/** What is the same in the base64 of every text that contains the secret, wherever it begins. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const isDivided = (offset + bytes.length) % 3 !== 0;
    // Characters at the ends depend on what is around the secret, too.
    const inner = whole.slice(offset === 0 ? 0 : offset + 1, isDivided ? -1 : undefined);
    return inner.length < SHORTEST ? [] : [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
