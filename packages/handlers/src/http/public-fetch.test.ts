import { expect, test } from "vitest";
import { publicFetch } from "./index.js";

const REFUSED = "is not public";

test.each([
  "http://127.0.0.1:9",
  "http://2130706433",
  "http://0x7f.1",
  "http://017700000001",
  "http://[::1]",
  "http://[::ffff:127.0.0.1]",
  "http://[::ffff:7f00:1]",
  "http://169.254.169.254/latest/meta-data",
  "http://example.com@127.0.0.1",
  "http://①②⑦.0.0.1",
])("publicFetch refuses %s", async (url) => {
  await expect(publicFetch()(url)).rejects.toThrow(REFUSED);
});

test("refuses a name if one of its addresses is private", async () => {
  const resolve = async () => ["8.8.8.8", "10.0.0.7"].map((address) => ({ address, family: 4 }));
  await expect(publicFetch({ resolve })("https://service.test/mcp")).rejects.toThrow(REFUSED);
});

test("refuses URLs that are not HTTP", async () => {
  await expect(publicFetch()("file:///etc/passwd")).rejects.toThrow("not a protocol");
});

test("an abort stops it before and during a request", async () => {
  const resolve = () => new Promise<never>(() => undefined);
  const stopped = AbortSignal.abort(new Error("enough"));
  await expect(publicFetch({ resolve })("https://service.test", { signal: stopped })).rejects.toThrow("enough");
  const soon = AbortSignal.timeout(20);
  await expect(publicFetch({ resolve })("https://service.test", { signal: soon })).rejects.toThrow("abort");
});
