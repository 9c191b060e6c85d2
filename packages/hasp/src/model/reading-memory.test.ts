import { expect, test } from "vitest";
import type { LoadedDocument } from "./document.js";
import { createReadingMemory } from "./reading-memory.js";

const fileAt = (uri: string): LoadedDocument => ({
  uri,
  role: "shared",
  text: "",
  value: {},
  locate: () => {
    throw new Error("nobody asks where anything stands");
  },
});

test("a value that asks late asks the files of the last time, and holds those of no earlier one", () => {
  const memory = createReadingMemory<object, (path: string) => LoadedDocument | undefined>();
  const key = {};
  const [shared, before, after] = [fileAt("shared"), fileAt("other"), fileAt("other")];
  const first = new Map([shared, before].map((file) => [file.uri, file]));
  const last = new Map([shared, after].map((file) => [file.uri, file]));
  const value = memory.of(key, first, (documents) => {
    documents.get("shared");
    return (path) => documents.get(path);
  });
  const again = memory.of(key, last, () => {
    throw new Error("all that it asked for is the same");
  });
  expect(again).toBe(value);
  expect(value("other")).toBe(after);
});
