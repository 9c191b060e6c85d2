import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limitMessages } from "./stdio-messages.js";

/** Returns the messages that pass the limit, and the answers to the client. */
async function passed(
  text: string,
  { maxBytes, pieceSize }: { readonly maxBytes: number; readonly pieceSize: number },
): Promise<{ readonly messages: unknown[]; readonly answers: unknown[]; readonly reports: number }> {
  const input = new PassThrough();
  const output = new PassThrough();
  let reports = 0;
  const limited = limitMessages(input, output, () => (reports += 1), maxBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceSize) input.write(bytes.subarray(at, at + pieceSize));
  input.end();
  const lines = (all: Buffer): unknown[] =>
    all
      .toString()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  const messages = lines(await buffer(limited));
  output.end();
  return { messages, answers: lines(await buffer(output)), reports };
}

test("a message that fits passes as it is; one that does not is answered by its id, wherever that stands", async () => {
  const id = fc.oneof(fc.integer(), fc.string({ maxLength: 20 }));
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('"id":7', "\\", '"', "{,:}", "x".repeat(300)));
  const request = fc
    .tuple(id, value, fc.shuffledSubarray(["jsonrpc", "id", "method", "params"], { minLength: 4 }), fc.boolean())
    .map(([given, params, order, isRequest]) => {
      const parts: Record<string, unknown> = {
        jsonrpc: "2.0",
        id: given,
        method: "m",
        params: { id: params, method: params },
      };
      const kept = order.filter((key) => isRequest || key !== "method");
      return { id: given, isRequest, text: JSON.stringify(Object.fromEntries(kept.map((key) => [key, parts[key]]))) };
    });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 5 }),
      fc.integer({ min: 1, max: 80 }),
      async (requests, pieceSize) => {
        const maxBytes = 200;
        const isTooLong = ({ text }: { text: string }): boolean => Buffer.byteLength(text) + 1 > maxBytes;
        const text = requests.map((each) => `${each.text}\n`).join("");
        const { messages, answers, reports } = await passed(text, { maxBytes, pieceSize });
        const refused = requests.filter(isTooLong);
        expect(reports).toBe(refused.length);
        expect(answers).toMatchObject(
          refused.filter((each) => each.isRequest).map((each) => ({ id: each.id, error: {} })),
        );
        expect(messages).toMatchObject(
          requests
            .filter((each) => !isTooLong(each) || !each.isRequest)
            .map((each) => (isTooLong(each) ? { id: each.id, error: {} } : (JSON.parse(each.text) as object))),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test("a notification that is too long is reported, and not answered", async () => {
  const text = `{"jsonrpc":"2.0","method":"notifications/x","params":{"id":1,"text":"${"x".repeat(300)}"}}\n`;
  expect(await passed(text, { maxBytes: 200, pieceSize: 50 })).toEqual({ messages: [], answers: [], reports: 1 });
});
