import { BookRecord, type PackedPart } from "./book-record.js";

/** A value that so many runs on the same file did not ask for belongs to settings that are no more. */
const OLDEST = 3;

/** What stands before the contents, in one line of JSON. Numbers stand for names, which are the same for most files. */
interface Index {
  readonly names: readonly string[];
  /** Each with its values in a row: the name's number, bytes, 1 if linked, age. */
  readonly files: readonly (readonly [key: string, context: string, values: readonly number[]])[];
}

/** Records as bytes: an index, then all contents. */
export function packRecords(records: readonly BookRecord[]): Buffer {
  const numbers = new Map<string, number>();
  const contents: (string | Buffer)[] = [];
  let size = 0;
  const files = records.map((record): Index["files"][number] => {
    const values: number[] = [];
    for (const { name, content, isLinked, age } of record.values()) {
      if (age >= OLDEST) continue;
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      const bytes = Buffer.byteLength(content);
      size += bytes;
      contents.push(content);
      values.push(number, bytes, isLinked ? 1 : 0, age + 1);
    }
    return [record.key, record.context, values];
  });
  const index: Index = { names: [...numbers.keys()], files };
  const head = Buffer.from(`${JSON.stringify(index)}\n`);
  const packed = Buffer.allocUnsafe(head.length + size);
  let position = head.copy(packed);
  for (const content of contents) {
    position += typeof content === "string" ? packed.write(content, position) : content.copy(packed, position);
  }
  return packed;
}

/** The records that were packed; their contents are read when asked for. */
export function unpackRecords(packed: Buffer): readonly BookRecord[] {
  const end = packed.indexOf("\n");
  const { names, files } = JSON.parse(packed.toString("utf8", 0, end)) as Index;
  const part: PackedPart = { bytes: packed, names, numbers: new Map(names.map((name, number) => [name, number])) };
  let start = end + 1;
  return files.map(([key, context, values]) => {
    const placed: number[] = [];
    for (let at = 0; at < values.length; at += 4) {
      const length = values[at + 1] ?? 0;
      placed.push(values[at] ?? 0, start, length, values[at + 2] ?? 0, values[at + 3] ?? 0);
      start += length;
    }
    return new BookRecord(key, context, part, placed);
  });
}
