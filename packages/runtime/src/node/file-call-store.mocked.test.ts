import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fileCallStore } from "./file-call-store.js";

// What a loss of power leaves is what was flushed: so the disk stands still here until the test lets it go on.

type Flush = (file: number, done: (error: Error | null) => void) => void;

const disk = vi.hoisted(() => ({ isHeld: false, held: [] as (() => void)[] }));
vi.mock("node:fs", async (original) => {
  const real = await original<{ readonly fdatasync: Flush }>();
  const fdatasync: Flush = (file, done) => {
    const flush = (): void => real.fdatasync(file, done);
    if (disk.isHeld) disk.held.push(flush);
    else flush();
  };
  return { ...real, fdatasync };
});

function letGo(): void {
  disk.isHeld = false;
  for (const flush of disk.held.splice(0)) flush();
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

let folder = "";
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hasp-power-"));
  const store = fileCallStore(folder);
  await store.setUp();
  const received = { id: "1", name: "act" };
  const call = { turnId: "t", callId: "1", toolName: "act", state: "proposed", version: 0, received } as const;
  await store.open({ turnId: "t", callsDigest: "d", openedAt: "2026-01-01T00:00:00.000Z", calls: [call] });
  await store.advance("t", "1", "proposed", "reserved", { input: "the-input" });
});
afterEach(() => {
  letGo();
  rmSync(folder, { recursive: true, force: true });
});

const journal = (): string => readFileSync(join(folder, "turns", readdirSync(join(folder, "turns"))[0] ?? ""), "utf8");

test("nobody learns from a turn what a loss of power could take back", async () => {
  disk.isHeld = true;
  const settling = fileCallStore(folder).advance("t", "1", "reserved", "settled", { input: null });
  await moment();
  expect(journal()).toContain('"to":"settled"');
  let seen: string | undefined;
  const reading = fileCallStore(folder)
    .read("t")
    .then((turn) => (seen = turn?.calls[0]?.state));
  await moment();
  expect(seen).toBeUndefined();
  letGo();
  expect([await reading, await settling]).toEqual(["settled", true]);
});

test("an input stays until the line that settles its call is on the disk, whoever reads the turn meanwhile", async () => {
  disk.isHeld = true;
  const settling = fileCallStore(folder).advance("t", "1", "reserved", "settled", { input: null });
  await moment();
  const other = fileCallStore(folder);
  const reading = other.read("t");
  await other.records({ turnId: "t" });
  await moment();
  expect(journal()).toContain("the-input");
  letGo();
  await Promise.all([settling, reading]);
  expect(journal()).not.toContain("the-input");
});
