import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallStore, TurnRecord } from "@hasp/runtime/call-store";
import { fileCallStore } from "./file-call-store.js";

// A power cut leaves what was flushed, so the disk stands still here until the test continues it.

type Flush = (file: number, done: (error: Error | null) => void) => void;

const disk = vi.hoisted(() => ({ isHeld: false, held: [] as (() => void)[], flushed: [] as string[], free: Infinity }));
vi.mock("node:fs", async (original) => {
  const real = await original<{
    readonly fdatasync: Flush;
    readonly fsync: Flush;
    readonly writeSync: (file: number, bytes: Buffer, ...place: number[]) => number;
  }>();
  const held =
    (what: string, flush: Flush): Flush =>
    (file, done) => {
      disk.flushed.push(what);
      const begin = (): void => flush(file, done);
      if (disk.isHeld) disk.held.push(begin);
      else begin();
    };
  const writeSync: typeof real.writeSync = (file, bytes, ...place) => {
    if (disk.free === Infinity) return real.writeSync(file, bytes, ...place);
    const fits = Math.min(bytes.length, disk.free);
    if (fits === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    disk.free -= fits;
    return real.writeSync(file, bytes.subarray(0, fits));
  };
  return { ...real, fdatasync: held("journal", real.fdatasync), fsync: held("folder", real.fsync), writeSync };
});

function letGo(): void {
  disk.isHeld = false;
  for (const flush of disk.held.splice(0)) flush();
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const turnOf = (turnId: string): TurnRecord => {
  const received = { id: "1", name: "act" };
  const call = { turnId, callId: "1", toolName: "act", state: "proposed", version: 0, received } as const;
  return { turnId, callsDigest: "d", openedAt: "2026-01-01T00:00:00.000Z", calls: [call] };
};

let folder = "";
let store: CallStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hasp-power-"));
  store = fileCallStore(folder);
  await store.setUp();
  await store.open(turnOf("t"));
  await store.advance("t", "1", "proposed", "reserved", { input: "the-input" });
  disk.flushed = [];
});
afterEach(() => {
  letGo();
  disk.free = Infinity;
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

test("a turn of one call is flushed twice, with its reservation and its result, and not again to be read", async () => {
  await store.open(turnOf("other"));
  await store.advance("other", "1", "proposed", "reserved", {});
  await store.advance("other", "1", "reserved", "settled", {});
  await store.read("other");
  expect(disk.flushed.toSorted()).toEqual(["folder", "journal", "journal"]);
});

test("the first change of a turn waits for the name of its journal, too, whoever has created it", async () => {
  for (const [turnId, opener] of [["mine", store] as const, ["its", fileCallStore(folder)] as const]) {
    await opener.open(turnOf(turnId));
    disk.isHeld = true;
    let isStored = false;
    const advancing = store.advance(turnId, "1", "proposed", "reserved", {}).then(() => (isStored = true));
    await moment();
    disk.held.shift()?.();
    await moment();
    expect([isStored, disk.held.length]).toEqual([false, 1]);
    letGo();
    await advancing;
  }
});

test("a disk that is full, with or without room for half a line, refuses the change; with room again, it is made", async () => {
  for (const free of [0, 1, 50]) {
    disk.free = free;
    const [before] = (await store.read("t"))?.calls ?? [];
    await expect(store.advance("t", "1", "reserved", "reserved", { reason: "x" })).rejects.toThrow(
      /ENOSPC|may be full/,
    );
    await expect(store.advance("t", "1", "reserved", "settled", { input: null })).rejects.toThrow(/ENOSPC|may be full/);
    await expect(store.open(turnOf(`u ${free}`))).rejects.toThrow(/ENOSPC|may be full/);
    expect((await fileCallStore(folder).read("t"))?.calls).toEqual([before]);
    disk.free = Infinity;
    expect(await store.advance("t", "1", "reserved", "reserved", { reason: `after ${free}` })).toBe(true);
    expect(await store.open(turnOf(`u ${free}`))).toBe(true);
    expect((await fileCallStore(folder).read(`u ${free}`))?.calls).toHaveLength(1);
  }
  expect(await store.advance("t", "1", "reserved", "settled", { input: null })).toBe(true);
  expect((await fileCallStore(folder).read("t"))?.calls[0]).toMatchObject({ state: "settled", reason: "after 50" });
});
