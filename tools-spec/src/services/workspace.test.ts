import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFiles, openWorkspace, type Workspace } from "./workspace.js";

let folder: string;
let workspace: Workspace;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workspace-"));
  await writeFile(join(folder, "a.txt"), "a");
  await symlink(tmpdir(), join(folder, "outside"));
  await symlink(join(folder, "a.txt"), join(folder, "alias"));
  await symlink(join(tmpdir(), "nowhere-at-all"), join(folder, "dangling"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  workspace = await openWorkspace(folder);
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  "..",
  "../x",
  "a/../../x",
  "/etc/passwd",
  "C:/x",
  "a\\b",
  ".",
  "",
  "a/..",
  "outside",
  "outside/x/y",
  "dangling",
  "pipe",
  "a\0b",
])("%j is refused", async (path) => {
  expect(await workspace.locate(path)).toHaveProperty("refused");
});

test.each(["a.txt", "new/deep/file", "..hidden", "alias", "a/../b", "a.txt/child"])("%j is inside", async (path) => {
  expect(await workspace.locate(path)).toHaveProperty("absolute");
});

test.each(["*a*a*a*a*b", "{a,aa}{a,aa}{a,aa}{a,aa}b", "+(a|aa)b", "[a]+[a]+[a]+[a]+b", "**/a/**/a/**/b"])(
  "the glob %j is refused, since a name may match it in very many ways",
  (pattern) => expect(listFiles(workspace, pattern)).rejects.toThrow(/may take long/u),
);

test.each(["**/a.*", "{a,b}*.{txt,md}", "+a*", "*/**/*a*.txt", "[ab].txt"])("the glob %j is tried", async (pattern) => {
  expect(await listFiles(workspace, pattern)).toBeInstanceOf(Array);
});
