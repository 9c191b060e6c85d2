/** Returns the first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function rootsOfPrimes(count: number, root: (value: number) => number): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}

const SCHEDULE = 64;

/** Creates a digest that needs nothing of its platform and is synchronous, unlike the web's own. */
export function createPortableSha256(): (text: string) => string {
  const initial = rootsOfPrimes(8, Math.sqrt);
  const round = rootsOfPrimes(64, Math.cbrt);
  return (text) => {
    const words = asciiWords(text) ?? utf8Words(text);
    const end = words.length - SCHEDULE;
    const state = initial.slice();
    for (let offset = 0; offset < end; offset += 16) compress(state, words, offset, end, round);
    // One flat string, since digests are kept for long.
    const digits = new Uint8Array(64);
    for (let index = 0; index < 64; index++) {
      const digit = ((state[index >> 3] as number) >>> (28 - ((index & 7) << 2))) & 0xf;
      digits[index] = digit + (digit < 10 ? 48 : 87);
    }
    return String.fromCharCode.apply(undefined, digits as unknown as number[]);
  };
}

/** Packs a text whose characters all are single bytes, as most are, into words; `undefined` for any other. */
function asciiWords(text: string): Int32Array | undefined {
  const words = new Int32Array(lengthFor(text.length));
  let all = 0;
  for (let index = 0; index < text.length; index += 4) {
    let word = 0;
    for (let at = index; at < index + 4; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      all |= code;
      word = (word << 8) | code;
    }
    words[index >> 2] = word;
  }
  return all > 0x7f ? undefined : ended(words, text.length);
}

function utf8Words(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text);
  const words = new Int32Array(lengthFor(bytes.length));
  for (let index = 0; index < bytes.length; index++) put(words, index, bytes[index] as number);
  return ended(words, bytes.length);
}

/** Returns the length of the 16-word blocks of a text, with the schedule. */
function lengthFor(bytes: number): number {
  return (((bytes + 72) >> 6) << 4) + SCHEDULE;
}

function put(words: Int32Array, index: number, byte: number): void {
  words[index >> 2] = (words[index >> 2] as number) | (byte << (24 - ((index & 3) << 3)));
}

function ended(words: Int32Array, bytes: number): Int32Array {
  const end = words.length - SCHEDULE;
  put(words, bytes, 0x80);
  words[end - 2] = Math.floor(bytes / 2 ** 29);
  words[end - 1] = bytes << 3;
  return words;
}

/** Adds one block to the state; the schedule begins at `s`. */
function compress(state: Int32Array, w: Int32Array, offset: number, s: number, round: Int32Array): void {
  for (let i = 0; i < 16; i++) w[s + i] = w[offset + i] as number;
  for (let i = s + 16; i < s + 64; i++) {
    const early = w[i - 15] as number;
    const late = w[i - 2] as number;
    const mixEarly = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const mixLate = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    w[i] = ((w[i - 16] as number) + mixEarly + (w[i - 7] as number) + mixLate) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const sumE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + sumE + ((e & f) ^ (~e & g)) + (round[i] as number) + (w[s + i] as number)) | 0;
    const sumA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** Returns the SHA-256 of a string's UTF-8 bytes in hexadecimal. */
export const sha256: (text: string) => string = /* @__PURE__ */ createSha256();

function createSha256(): (text: string) => string {
  let digest: ((text: string) => string) | undefined;
  // Chosen with the first text: Node takes milliseconds to load its own.
  return (text) => (digest ??= digestOfPlatform() ?? createPortableSha256())(text);
}

/** Finds Node's own digest, which takes a tenth of the time, without an import, so that this loads everywhere. */
function digestOfPlatform(): ((text: string) => string) | undefined {
  const hash = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("crypto")?.hash;
  return hash && ((text) => hash("sha256", text));
}
