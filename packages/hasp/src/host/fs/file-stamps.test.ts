import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { digestOfText } from "../../emitters/digest.js";
import { type FileStamps, fileStamps } from "./file-stamps.js";
import { reportIfUnchanged, withStamp } from "../output/unchanged-outputs.js";

const HOUR = 3_600_000;

interface Place {
  readonly root: string;
  /** The stamps of a run that begins long after all that has happened so far. */
  readonly later: () => FileStamps;
  readonly put: (path: string, text: string) => void;
  /** Does something at a time that the file system tells from that of the file's last change. */
  readonly atAnotherTime: (path: string, act: () => void) => void;
}

/** A folder with one file, `folder/file`, and a neighbour. */
function place(): Place {
  const parent = mkdtempSync(join(tmpdir(), "hasp-stamps-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const root = join(parent, "root");
  const put = (path: string, text: string): void => writeFileSync(join(root, path), text);
  const changedAt = (path: string): bigint => statSync(path, { bigint: true }).ctimeNs;
  mkdirSync(join(root, "folder"), { recursive: true });
  mkdirSync(join(parent, "outside"));
  put("folder/file", "first");
  utimesSync(join(root, "folder/file"), 1000, 1000);
  return {
    root,
    later: () => fileStamps(root, Date.now() + HOUR),
    put,
    atAnotherTime(path, act) {
      const clock = join(parent, "clock");
      do writeFileSync(clock, "");
      while (changedAt(clock) <= changedAt(join(root, path)));
      act();
    },
  };
}

test("a file that nobody changed has the stamp that it had", () => {
  const { later, put } = place();
  const stamp = later().of("folder/file");
  expect(stamp).toBeDefined();
  expect(later().isUnchanged("folder/file", stamp)).toBe(true);
  put("folder/other", "first");
  expect(later().isUnchanged("folder/file", stamp)).toBe(true);
  expect(later().isUnchanged("folder/other", stamp)).toBe(false);
  expect(later().isUnchanged("folder/file", undefined)).toBe(false);
});

describe("another content is noticed", () => {
  test.each<readonly [string, (place: Place, path: string) => void]>([
    ["of another length", ({ put }) => put("folder/file", "longer")],
    [
      "of the same length, with the time of modification set back",
      ({ put }, path) => {
        put("folder/file", "other");
        utimesSync(path, 1000, 1000);
      },
    ],
    [
      "in another file of the same length and time, moved into its place",
      ({ root, put }, path) => {
        put("folder/new", "other");
        utimesSync(join(root, "folder/new"), 1000, 1000);
        renameSync(join(root, "folder/new"), path);
      },
    ],
    [
      "behind a link in its place",
      ({ root }, path) => {
        renameSync(path, join(root, "folder/moved"));
        symlinkSync("moved", path);
      },
    ],
    [
      "behind a link in the place of its folder",
      ({ root }) => {
        renameSync(join(root, "folder"), join(root, "../outside/folder"));
        symlinkSync("../outside/folder", join(root, "folder"));
      },
    ],
    ["no longer there", (_place, path) => unlinkSync(path)],
  ])("%s", (_name, change) => {
    const here = place();
    const { root, later, atAnotherTime } = here;
    const stamp = later().of("folder/file");
    const outputs = [withStamp({ path: "folder/file", owner: "hasp", digest: digestOfText("first") }, later())];
    expect(outputs[0]?.stamp).toBe(stamp);
    atAnotherTime("folder/file", () => change(here, join(root, "folder/file")));
    expect(later().isUnchanged("folder/file", stamp)).toBe(false);
    const isSameText = readIfThere(join(root, "folder/file")) === "first";
    // A file that is reached through a link inside the project is refused as one of hasp's own.
    expect(isSameText ? undefined : reportIfUnchanged(outputs, root, later())).toBeUndefined();
  });

  test("in the very moment in which the run looked: such a file has no stamp, and is read again", () => {
    const { root, put } = place();
    const began = Date.now();
    put("folder/file", "other");
    const { of } = fileStamps(root, began);
    expect(of("folder/file")).toBeUndefined();
    utimesSync(join(root, "folder/file"), 1000, 1000);
    expect(of("folder/file")).toBeUndefined();
    // Nor has one that changed just before the run, by a clock that counts in whole seconds.
    expect(fileStamps(root, began + 1000).of("folder/file")).toBeUndefined();
    expect(fileStamps(root, began + 5000).of("folder/file")).toBeDefined();
  });

  test("a time of modification in the future proves nothing", () => {
    const { root, later } = place();
    utimesSync(join(root, "folder/file"), Date.now() / 1000 + 7200, Date.now() / 1000 + 7200);
    expect(later().of("folder/file")).toBeUndefined();
  });
});

test("what is reached through a link, lies outside, or is no file has no stamp", () => {
  const { root, later, put } = place();
  symlinkSync("folder", join(root, "linked"));
  symlinkSync("folder/file", join(root, "alias"));
  writeFileSync(join(root, "../outside/file"), "outside");
  put("top", "top");
  const stamps = later();
  const paths = ["linked/file", "alias", "../outside/file", "folder", "absent", "absent/file", "top/file"];
  expect(paths.map((path) => stamps.of(path))).toEqual(paths.map(() => undefined));
  expect(stamps.of("top")).toBeDefined();
});

describe("the files of a build", () => {
  const record = (path: string, text: string, owner: "hasp" | "user" = "hasp"): Parameters<typeof withStamp>[0] => ({
    path,
    owner,
    digest: digestOfText(text),
  });

  test("are read while they have no stamp, and then no more", () => {
    const { root, later } = place();
    const first = reportIfUnchanged([record("folder/file", "first")], root, later());
    expect(first).toMatchObject({ report: { unchanged: ["folder/file"] }, hasNewStamps: true });
    const second = reportIfUnchanged(first?.outputs ?? [], root, later());
    expect(second).toMatchObject({ hasNewStamps: false, outputs: first?.outputs });
    // A record that lies about the content shows that it is not read any more, and that without stamps it is.
    const lying = (first?.outputs ?? []).map((output) => ({ ...output, digest: digestOfText("a lie") }));
    expect(reportIfUnchanged(lying, root, later())).toBeDefined();
    expect(reportIfUnchanged(lying, root)).toBeUndefined();
  });

  test("get no stamp where their content is not what it was made to be", () => {
    const { root, later } = place();
    expect(reportIfUnchanged([record("folder/file", "second")], root, later())).toBeUndefined();
  });

  test("of the user's need only be there", () => {
    const { root, later, put, atAnotherTime } = place();
    const first = reportIfUnchanged([record("folder/file", "whatever", "user")], root, later());
    expect(first).toMatchObject({ report: { kept: ["folder/file"] } });
    atAnotherTime("folder/file", () => put("folder/file", "edited by its owner"));
    expect(reportIfUnchanged(first?.outputs ?? [], root, later())).toMatchObject({ hasNewStamps: true });
    unlinkSync(join(root, "folder/file"));
    expect(reportIfUnchanged(first?.outputs ?? [], root, later())).toBeUndefined();
  });
});

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
