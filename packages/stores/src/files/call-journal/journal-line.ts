import { hash } from "node:crypto";
import { DamagedStore } from "@hasp/runtime/call-store";

/**
 * A line of a journal: `<sum> <sum of the private part> <bytes that follow> <entry>\t<private part>`. Both parts are
 * JSON. Spaces overwrite the private part once nobody needs it; its sum stays as proof of its content.
 */
export interface JournalLine<JournalEntry> {
  readonly entry: JournalEntry;
  readonly end: number;
  /** The place of the private part in the file. */
  readonly secret: Region | undefined;
  readonly secretText: string | undefined;
  readonly isSecretIntact: boolean;
}

export interface Region {
  readonly start: number;
  readonly length: number;
}

const [LINE_BREAK, TAB, SPACE] = [10, 9, 32];
const HEAD = /^([0-9a-f]{16}) ([0-9a-f]{16}|-) (\d{1,12})$/;

export function encodeLine(entry: object, secret?: object): string {
  const secretText = secret === undefined ? "" : JSON.stringify(secret);
  const body = `${JSON.stringify(entry)}\t${secretText}`;
  const head = `${secret === undefined ? "-" : sumOf(secretText)} ${Buffer.byteLength(body)}`;
  return `${sumOf(`${head} ${body.slice(0, body.indexOf("\t"))}`)} ${head} ${body}\n`;
}

interface JournalReading<JournalEntry> {
  readonly lines: readonly JournalLine<JournalEntry>[];
  readonly end: number;
  /** True if the last line is incomplete: its writer was stopped, and nobody was told that it was stored. */
  readonly isTorn: boolean;
}

/**
 * Reads lines from `base`, the position of `bytes` in the file. Ignores an incomplete line if it is the last, or if
 * the next one notes it (`torn`). Throws {@link DamagedStore} for any other.
 */
export function readLines<JournalEntry extends { readonly torn?: boolean }>(
  bytes: Buffer,
  base: number,
  path: string,
): JournalReading<JournalEntry> {
  const lines: JournalLine<JournalEntry>[] = [];
  let isTorn = false;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_BREAK, start);
    if (end < 0) return { lines, end: base + bytes.length, isTorn: true };
    if (end > start) {
      const line = readLine<JournalEntry>(bytes.subarray(start, end), base + start);
      if (line === undefined) {
        if (isTorn) throw new DamagedStore(path);
        isTorn = true;
      } else {
        if (isTorn && line.entry.torn !== true) throw new DamagedStore(path);
        isTorn = false;
        lines.push({ ...line, end: base + end + 1 });
      }
    }
    start = end + 1;
  }
  if (isTorn) throw new DamagedStore(path);
  return { lines, end: base + bytes.length, isTorn: false };
}

function readLine<JournalEntry>(bytes: Buffer, base: number): Omit<JournalLine<JournalEntry>, "end"> | undefined {
  const tab = bytes.indexOf(TAB);
  // The head is ASCII and has three spaces.
  const head = bytes.subarray(0, 60).toString("latin1").split(" ", 3).join(" ");
  const [, sum, secretSum = "", count] = HEAD.exec(head) ?? [];
  const bodyStart = head.length + 1;
  if (sum === undefined || tab < 0 || bytes.length - bodyStart !== Number(count)) return undefined;
  const entryText = bytes.toString("utf8", bodyStart, tab);
  if (sum !== sumOf(`${secretSum} ${count} ${entryText}`)) return undefined;
  const entry = JSON.parse(entryText) as JournalEntry;
  const secret = bytes.subarray(tab + 1);
  if (secretSum === "-") {
    return { entry, secret: undefined, secretText: undefined, isSecretIntact: secret.length === 0 };
  }
  const region = { start: base + tab + 1, length: secret.length };
  // JSON text of an object never begins with a space.
  const isOverwritten = secret[0] === SPACE;
  const secretText = isOverwritten ? undefined : secret.toString("utf8");
  const isSecretIntact = secretText !== undefined && sumOf(secretText) === secretSum;
  return { entry, secret: isOverwritten ? undefined : region, secretText, isSecretIntact };
}

function sumOf(text: string): string {
  return hash("sha256", text).slice(0, 16);
}
