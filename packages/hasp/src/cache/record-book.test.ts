import { describe, expect, test } from "vitest";
import type { SourceText } from "../model/document.js";
import { recordOf } from "../model/file-record.js";
import { createRecordBook, type RecordBook } from "./record-book.js";

const file = (text: string): SourceText => ({ uri: "a.tool.yaml", role: "spec", text });

/** A book in which one file has been opened and settled, and the record of that file. */
function opened(source: SourceText, packed?: Buffer, context = "shared 1"): { readonly book: RecordBook; readonly record: NonNullable<ReturnType<typeof recordOf>> } {
  const book = createRecordBook(packed);
  book.open(source);
  book.settle(source, context);
  const record = recordOf(source);
  if (record === undefined) throw new Error("An opened file has a record.");
  return { book, record };
}

/** What a run on the text `one` leaves behind. */
function firstRun(): Buffer {
  const { book, record } = opened(file("one"));
  record.write("own", "é 1", false);
  record.write("linked", "2", true);
  return packedBy(book);
}

function packedBy(book: RecordBook): Buffer {
  const packed = book.pack();
  if (packed === undefined) throw new Error("The book has changed.");
  return packed;
}

describe("the records of files", () => {
  test("come back for the same text under the same name", () => {
    const { book, record } = opened(file("one"), firstRun());
    expect([record.read("own"), record.read("linked"), record.read("other")]).toEqual(["é 1", "2", undefined]);
    expect(book.pack()).toBeUndefined();
  });

  test.each<readonly [string, SourceText]>([
    ["another text", file("two")],
    ["another path", { ...file("one"), uri: "b.tool.yaml" }],
    ["another role", { ...file("one"), role: "shared" }],
  ])("do not come back for %s", (_name, source) => {
    const { record } = opened(source, firstRun());
    expect([record.read("own"), record.read("linked")]).toEqual([undefined, undefined]);
  });

  test("lose what rests on other files once one of them is another", () => {
    const { book, record } = opened(file("one"), firstRun(), "shared 2");
    expect([record.read("own"), record.read("linked")]).toEqual(["é 1", undefined]);
    const again = opened(file("one"), packedBy(book), "shared 1");
    expect([again.record.read("own"), again.record.read("linked")]).toEqual(["é 1", undefined]);
  });

  test("are those of the files that there are", () => {
    expect(createRecordBook(firstRun()).pack()?.toString()).toBe('{"names":[],"files":[]}\n');
  });

  test("keep no text that would come back as another one", () => {
    const { record } = opened(file("one"));
    record.write("half", "\u{D83D}", false);
    record.write("whole", "\u{1F600}", false);
    expect([record.read("half"), record.read("whole")]).toEqual([undefined, "\u{1F600}"]);
  });

  test("forget a value for which nobody has asked for several runs", () => {
    let packed = firstRun();
    for (let run = 0; run < 4; run += 1) {
      const { book, record } = opened(file("one"), packed);
      record.read("own");
      record.write("new", String(run), false);
      packed = packedBy(book);
    }
    const { record } = opened(file("one"), packed);
    expect([record.read("own"), record.read("linked")]).toEqual(["é 1", undefined]);
  });

  test("are taken in from another book for the very same texts", () => {
    const { book, record } = opened(file("one"));
    book.takeIn(firstRun());
    expect([record.read("own"), record.read("linked")]).toEqual(["é 1", "2"]);
    for (const other of [opened(file("two")), opened(file("one"), undefined, "shared 2")]) {
      other.book.takeIn(firstRun());
      expect(other.record.read("own")).toBeUndefined();
    }
  });

  test("of a file that could not be read are not kept", () => {
    const source = { ...file(""), unreadable: "it is a folder" };
    createRecordBook().open(source);
    expect(recordOf(source)).toBeUndefined();
  });
});
