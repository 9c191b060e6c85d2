import { expect, test } from "vitest";
import { openNetwork } from "./network.js";

const everywhere = openNetwork({ allowedHosts: ["*"] });
const never = new AbortController().signal;

test.each([
  "http://127.0.0.1:1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://[64:ff9b::a00:1]/",
])("the private address of %s is refused", (url) => {
  expect(everywhere.refusal(new URL(url))).toMatch(/private network/);
});

test("a name that leads to a private address is refused where it is looked up", async () => {
  expect(everywhere.refusal(new URL("http://localhost:1/"))).toBeUndefined();
  await expect(everywhere.get(new URL("http://localhost:1/"), {}, never)).rejects.toMatchObject({
    code: "not-executed",
    message: expect.stringContaining("private network"),
  });
});

test.each([
  ["https://example.com/", undefined],
  ["https://EXAMPLE.com./", /not among/],
  ["https://docs.example.org/", undefined],
  ["https://example.org/", /not among/],
  ["https://example.com.evil.net/", /not among/],
  ["https://user@example.com/", /user name/],
  ["file:///etc/passwd", /only http/],
])("%s", (url, refusal) => {
  const { refusal: reason } = openNetwork({ allowedHosts: [" Example.com", "*.example.org", ""] });
  if (refusal === undefined) expect(reason(new URL(url))).toBeUndefined();
  else expect(reason(new URL(url))).toMatch(refusal);
});

test("without a list, nothing is fetched", () => {
  expect(openNetwork({ allowedHosts: [""] }).refusal(new URL("https://example.com/"))).toMatch(/no host/);
});
