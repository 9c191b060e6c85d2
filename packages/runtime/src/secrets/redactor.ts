import type { JsonValue } from "@hasp/schema";
import { toPlainJson, type Rewrite } from "../json/plain-json.js";
import { secretsIn } from "./secrets-in.js";
import { secretPattern } from "./secret-pattern.js";

/** Shorter texts are found in too many others, and no service takes them for a secret. */
const SHORTEST = 4;

const MARK = "[redacted]";

declare const REDACTED: unique symbol;

/** A value without secrets, as only a {@link Redactor} makes it. Everything that leaves a declared handler is one. */
export type Redacted<Value> = Value & { readonly [REDACTED]: true };

/** An object that reads or receives secrets: a source of tokens, a database, a client. */
export interface SecretHolder {
  readonly secrets?: readonly string[];
}

/** The patterns of the secrets that a connection has used, which take longer to make than to match. */
export class SecretPatterns {
  readonly #patterns = new Map<string, RegExp>();

  find(secret: string): RegExp {
    const known = this.#patterns.get(secret);
    if (known !== undefined) return known;
    if (this.#patterns.size >= MOST_PATTERNS) this.#patterns.clear();
    const pattern = secretPattern(secret);
    this.#patterns.set(secret, pattern);
    return pattern;
  }
}

/** A connection may have another secret for each context. */
const MOST_PATTERNS = 200;

/** Replaces secrets by `[redacted]`. Add each secret once it is read or received. */
export class Redactor {
  readonly #patterns: SecretPatterns;
  readonly #most: number;
  readonly #secrets = new Map<string, RegExp>();
  readonly #holders = new Set<SecretHolder>();

  /** `most`: how many secrets are remembered, for a connection that lives longer than its tokens. The oldest go first. */
  constructor(patterns: SecretPatterns = new SecretPatterns(), most: number = Infinity) {
    this.#patterns = patterns;
    this.#most = most;
  }

  add(secret: string): string {
    for (const part of secretsIn(secret)) {
      if (part.length < SHORTEST) continue;
      this.#secrets.delete(part);
      this.#secrets.set(part, this.#patterns.find(part));
      if (this.#secrets.size > this.#most) this.#secrets.delete(this.#secrets.keys().next().value ?? "");
    }
    return secret;
  }

  /** Registers what somebody else reads and receives, now and until something leaves. */
  addAll(holder: SecretHolder): void {
    this.#holders.add(holder);
  }

  get secrets(): readonly string[] {
    return [...this.#secrets.keys(), ...[...this.#holders].flatMap(secretsOf)];
  }

  /** A text without secrets. Redact before cutting: no pattern matches a part of a secret. */
  text(text: string): Redacted<string> {
    return this.#rewrite().text(text) as Redacted<string>;
  }

  /** A value as JSON without secrets, in its keys and numbers neither. */
  value(value: unknown): Redacted<JsonValue> | undefined {
    return toPlainJson(value, this.#rewrite()) as Redacted<JsonValue> | undefined;
  }

  #rewrite(): Rewrite {
    for (const holder of this.#holders) for (const secret of secretsOf(holder)) this.add(secret);
    // Longer secrets first: one may be a part of another.
    const secrets = [...this.#secrets].toSorted(([left], [right]) => right.length - left.length);
    const shortest = secrets.at(-1)?.[0].length ?? Infinity;
    const redact = (text: string): string =>
      text.length < shortest ? text : secrets.reduce((rest, [, pattern]) => rest.replace(pattern, MARK), text);
    return {
      text: (text) => (text.length < shortest || !isBase64(text) ? redact(text) : redactBase64(text, redact)),
      number: (value) => (this.#secrets.has(String(value)) ? MARK : value),
    };
  }
}

function secretsOf(holder: SecretHolder): readonly string[] {
  try {
    return (holder.secrets ?? []).filter((secret) => typeof secret === "string");
  } catch {
    return [];
  }
}

/** Bytes stay bytes: a picture or a file with a secret in it remains valid base64. */
function redactBase64(text: string, redact: (text: string) => string): string {
  const bytes = atob(text);
  const clean = redact(bytes);
  if (clean === bytes) return redact(text);
  const encoded = btoa(clean);
  return redact(encoded) === encoded ? encoded : redact(text);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/u.test(text);
}
