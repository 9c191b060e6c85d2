import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSealedStore, type SealedStore } from "./sealed-store.js";

/** A project with a folder for its caches, and a user's cache folder. */
function place(): { readonly cache: string; readonly open: () => SealedStore } {
  const root = mkdtempSync(join(tmpdir(), "hasp-sealed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = join(root, "project");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  const open = (): SealedStore => {
    const store = openSealedStore(project, { XDG_CACHE_HOME: join(root, "user") });
    if (store === undefined) throw new Error("nothing can be kept");
    return store;
  };
  return { cache: join(project, "node_modules/.cache/hasp"), open };
}

test("gives back texts and bytes, each for its own purpose", () => {
  const { open } = place();
  const bytes = Buffer.from([0, 255, 13, 10, 0xc3, 0x28]);
  open().write("text", "grüße\n");
  open().write("bytes", bytes);
  open().write("nothing", Buffer.alloc(0));
  expect(open().read("text")?.toString()).toBe("grüße\n");
  expect(open().read("bytes")).toEqual(bytes);
  expect(open().read("nothing")).toHaveLength(0);
  expect(open().read("another purpose")).toBeUndefined();
});

test("takes nothing that was changed, cut, or put under another name", () => {
  const { cache, open } = place();
  open().write("one", Buffer.from("first"));
  const [one = ""] = readdirSync(cache);
  const file = readFileSync(join(cache, one));
  for (const damaged of [
    file.subarray(0, -1),
    Buffer.concat([file, Buffer.from("!")]),
    file.subarray(0, 10),
    Buffer.alloc(0),
  ]) {
    writeFileSync(join(cache, one), damaged);
    expect(open().read("one")).toBeUndefined();
  }
  open().write("two", "second");
  const two = readdirSync(cache).find((name) => name !== one) ?? "";
  writeFileSync(join(cache, two), file);
  expect(open().read("two")).toBeUndefined();
  writeFileSync(join(cache, one), file);
  expect(open().read("one")?.toString()).toBe("first");
});

test("clears what is kept for the project, and says how much that was", () => {
  const { cache, open } = place();
  open().write("one", "1");
  open().write("two", "2");
  expect(open().clear({ isDryRun: true })).toBe(2);
  expect(readdirSync(cache)).toHaveLength(2);
  expect(open().clear({ isDryRun: false })).toBe(2);
  expect(readdirSync(cache)).toEqual([]);
});
