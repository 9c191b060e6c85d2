import { expect, test } from "vitest";
import { listStreams } from "./list-streams.js";

test("a principal cannot take the streams of others, and gets one back for each that it closes", async () => {
  const streams = listStreams();
  const { signal } = new AbortController();
  const taken = Array.from({ length: 64 }, () => streams.open(signal, "eve"));
  expect(taken.every(({ status }) => status === 200)).toBe(true);
  expect(streams.open(signal, "eve").status).toBe(429);
  expect(streams.open(signal, "ann").status).toBe(200);
  await taken[0]?.body?.cancel();
  expect(streams.open(signal, "eve").status).toBe(200);
  streams.close();
});
