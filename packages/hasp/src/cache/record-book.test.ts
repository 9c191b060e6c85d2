import { describe, expect, test } from "vitest";
import type { LoadedDocument, SourceText } from "../model/document.js";
import { recordOf } from "../model/file-record.js";
import { createMemory, keptAsJson } from "../model/memory.js";
import { createRecordBook, type PackedBook, type RecordBook } from "./record-book.js";

const file = (text: string): SourceText => ({ uri: "a.tool.yaml", role: "spec", text });

/** A book in which one file has been opened and settled, and the record of that file. */
function opened(
  source: SourceText,
  packed?: PackedBook,
  context = "shared 1",
): { readonly book: RecordBook; readonly record: NonNullable<ReturnType<typeof recordOf>> } {
  const book = createRecordBook(packed);
  book.open(source);
  book.settle(source, context);
  const record = recordOf(source);
  if (record === undefined) throw new Error("An opened file has a record.");
  return { book, record };
}

/** What a run on the text `one` leaves behind. */
function firstRun(): PackedBook {
  const { book, record } = opened(file("one"));
  record.write("own", "é 1", false);
  record.write("linked", "2", true);
  return book.pack();
}

describe("the records of files", () => {
  test("come back for the same text under the same name", () => {
    const { book, record } = opened(file("one"), firstRun());
    expect([record.read("own"), record.read("linked"), record.read("other")]).toEqual(["é 1", "2", undefined]);
    expect(book.pack()).toEqual({});
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
    const again = opened(file("one"), book.pack(), "shared 1");
    expect([again.record.read("own"), again.record.read("linked")]).toEqual(["é 1", undefined]);
  });

  test("are those of the files that there are", () => {
    const { book, record } = opened({ ...file("two"), uri: "b.tool.yaml" }, firstRun());
    record.write("own", "1".repeat(100), false);
    const { main = Buffer.of() } = book.pack();
    expect([main.includes("b.tool.yaml"), main.includes("a.tool.yaml")]).toEqual([true, false]);
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
      packed = book.pack();
    }
    const { record } = opened(file("one"), packed);
    expect([record.read("own"), record.read("linked")]).toEqual(["é 1", undefined]);
  });

  test("that have changed are packed by themselves as long as they are few", () => {
    const others = Array.from({ length: 20 }, (_, index): SourceText => ({
      uri: `${index}.tool.yaml`,
      role: "spec",
      text: "other",
    }));
    const all = createRecordBook();
    for (const source of [file("one"), ...others]) {
      all.open(source);
      recordOf(source)?.write("own", `value of ${source.uri}`, false);
    }
    const first = all.pack();
    const reopened = (packed: PackedBook, own: SourceText): RecordBook => {
      const book = createRecordBook(packed);
      for (const source of [own, ...others.map((other) => ({ ...other }))]) {
        book.open(source);
        if (recordOf(source)?.read("own") === undefined) {
          recordOf(source)?.write("own", `value of ${source.text}`, false);
        }
      }
      return book;
    };
    const second = reopened(first, file("two")).pack();
    expect([second.main, second.changes?.includes("value of two"), second.changes?.includes("value of 7")]).toEqual([
      undefined,
      true,
      false,
    ]);
    const both = { ...first, ...second };
    expect(reopened(both, file("two")).pack()).toEqual({});
    // A text that is back is known from the main part.
    expect(reopened(both, file("one")).pack()).toEqual({});
  });

  test("that another book packed are taken up, and kept with its own", () => {
    const others = firstRun();
    const book = createRecordBook();
    expect(book.knows(file("one"))).toBe(false);
    book.add(others.main ?? Buffer.of());
    expect([book.knows(file("one")), book.knows(file("two"))]).toEqual([true, false]);
    const source = file("one");
    book.open(source);
    book.settle(source, "shared 1");
    expect([recordOf(source)?.read("own"), recordOf(source)?.read("linked")]).toEqual(["é 1", "2"]);
    const again = opened(file("one"), book.pack());
    expect([again.record.read("own"), again.record.read("linked")]).toEqual(["é 1", "2"]);
  });

  test("say and keep nothing once the book is closed", () => {
    const { book, record } = opened(file("one"), firstRun());
    book.close();
    record.write("new", "3", false);
    expect([record.read("own"), record.read("linked"), record.read("new")]).toEqual([undefined, undefined, undefined]);
    expect([book.knows(file("one")), book.pack()]).toEqual([false, {}]);
  });

  test("of a file that could not be read are not kept", () => {
    const source = { ...file(""), unreadable: "it is a folder" };
    createRecordBook().open(source);
    expect(recordOf(source)).toBeUndefined();
  });
});

test("no memory keeps what rests on more than a shared file itself: nobody settles what such a file leads to", () => {
  const { uri, text } = file("one");
  const document = (role: SourceText["role"]): LoadedDocument => ({
    uri,
    role,
    text,
    value: 1,
    locate: () => {
      throw new Error("nobody asks");
    },
  });
  const linked = createMemory<LoadedDocument, number>(keptAsJson("linked"));
  const alone = createMemory<LoadedDocument, number>(keptAsJson("alone", { isOfFileAlone: true }));
  expect(() => linked.of(document("shared"), "", () => 1)).toThrow("would go stale");
  expect([linked.of(document("spec"), "", () => 1), alone.of(document("shared"), "", () => 2)]).toEqual([1, 2]);
});
