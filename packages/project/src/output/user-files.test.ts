import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { editUserFile, makeUserFile, removeUserFile, type UserFileResult } from "./user-files.js";

let root = "";
let elsewhere = "";
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-user-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  root = join(folder, "project");
  elsewhere = join(folder, "elsewhere");
  mkdirSync(root);
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "there.json"), "theirs");
});

const writers: { readonly [name: string]: (path: string) => Promise<UserFileResult> } = {
  makeUserFile: (path) => makeUserFile(root, path, "ours", { replace: true }),
  editUserFile: (path) => editUserFile(root, path, () => "ours"),
  removeUserFile: (path) => removeUserFile(root, path),
};

describe.each(Object.entries(writers))("%s", (_name, write) => {
  test.each(["linked/there.json", "linked/new.json", "linked/deep/new.json", "../elsewhere/there.json"])(
    "leaves %s alone, which is out of the project",
    async (path) => {
      symlinkSync(elsewhere, join(root, "linked"));
      expect(await write(path)).toEqual({ state: "failed", reason: expect.stringContaining("out of the project") });
      expect(readdirSync(elsewhere)).toEqual(["there.json"]);
      expect(readFileSync(join(elsewhere, "there.json"), "utf8")).toBe("theirs");
    },
  );

  test("follows a link to a folder of the project", async () => {
    mkdirSync(join(root, "own"));
    symlinkSync(join(root, "own"), join(root, "linked"));
    expect((await write("linked/new.json")).state).not.toBe("failed");
  });
});

test("makeUserFile says how to go on where a link leads nowhere", async () => {
  symlinkSync(join(elsewhere, "missing"), join(root, "dangling"));
  expect(await makeUserFile(root, "dangling", "ours")).toEqual({
    state: "failed",
    reason: expect.stringContaining("remove it"),
  });
});
