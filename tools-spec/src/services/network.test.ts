import { expect, test } from "vitest";
import { openNetwork } from "./network.js";

const { refusal, get } = openNetwork();
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
  expect(refusal(new URL(url))).toMatch(/private network/);
});

test("a name that leads to a private address is refused where it is looked up", async () => {
  expect(refusal(new URL("http://localhost:1/"))).toBeUndefined();
  await expect(get(new URL("http://localhost:1/"), {}, never)).rejects.toMatchObject({
    code: "not-executed",
    message: expect.stringContaining("private network"),
  });
});

test.each([
  ["https://user@example.com/", /user name/],
  ["file:///etc/passwd", /only http/],
])("%s is refused", (url, reason) => {
  expect(refusal(new URL(url))).toMatch(reason);
});
