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
    const words = toWords(new TextEncoder().encode(text));
    const end = words.length - SCHEDULE;
    const state = initial.slice();
    for (let offset = 0; offset < end; offset += 16) compress(state, words, offset, end, round);
    return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };
}

/** Packs bytes into blocks of 16 words, with the padding, and with room for the schedule. */
function toWords(bytes: Uint8Array): Int32Array {
  const words = new Int32Array((((bytes.length + 72) >> 6) << 4) + SCHEDULE);
  const put = (byte: number, index: number): void => {
    words[index >> 2] = (words[index >> 2] as number) | (byte << (24 - ((index & 3) << 3)));
  };
  bytes.forEach(put);
  put(0x80, bytes.length);
  const end = words.length - SCHEDULE;
  words[end - 2] = bytes.length / 2 ** 29;
  words[end - 1] = bytes.length << 3;
  return words;
}

type EightWords = [number, number, number, number, number, number, number, number];

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
  let [a, b, c, d, e, f, g, h] = state as unknown as EightWords;
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
  const added = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (added[i] as number);
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
