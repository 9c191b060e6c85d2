// Tests the functions over paths with the rules of Windows.
import { expect, test, vi } from "vitest";
import { findForeignFolder, normalisePath } from "@hasp/compiler/model";
import { isBelow, isWithin } from "./read-inside.js";
import { toSlashPath } from "./slash-path.js";

vi.mock("node:path", async () => {
  const { win32 } = await vi.importActual<typeof import("node:path")>("node:path");
  return { ...win32, default: win32 };
});

const root = String.raw`C:\code\shop`;

test.each([
  [String.raw`C:\code\shop\specs\a.tool.yaml`, "specs/a.tool.yaml", true],
  [String.raw`c:\CODE\shop\specs`, "specs", true],
  [String.raw`C:\code\other`, "../other", false],
  [String.raw`C:\code\shop-2\a`, "../shop-2/a", false],
  [String.raw`D:\code\shop\a`, "D:/code/shop/a", false],
  [String.raw`\\server\share\a`, "//server/share/a", false],
])("compares the Windows path %s with the root", (path, shown, isInside) => {
  expect(toSlashPath(root, path)).toBe(shown);
  expect(isWithin(root, path)).toBe(isInside);
  if (path.startsWith("C:") || !isInside) expect(isBelow(root, path)).toBe(isInside);
});

test("the root is within itself, and not below itself", () => {
  expect([toSlashPath(root, root), isWithin(root, root), isBelow(root, root)]).toEqual(["", true, false]);
});

test("a drive in a configuration's path never leads out of the project", () => {
  expect(["C:/x", "c:x", "/x", "../x", "a/../../x"].map(normalisePath)).toEqual(Array.from({ length: 5 }));
  expect(findForeignFolder("a/NODE_MODULES/b")?.name).toBe("NODE_MODULES");
});
