import { expect, test } from "vitest";
import { listStreams } from "./list-streams.js";

test("a principal cannot take the streams of others, and gets one back for each that it closes", async () => {
  const streams = listStreams();
  const open = (principal: string): Response => streams.open(new AbortController().signal, principal);
  const taken = Array.from({ length: 64 }, () => open("eve"));
  expect(taken.every(({ status }) => status === 200)).toBe(true);
  expect(open("eve").status).toBe(429);
  expect(open("ann").status).toBe(200);
  await taken[0]?.body?.cancel();
  expect(open("eve").status).toBe(200);
  streams.close();
});
