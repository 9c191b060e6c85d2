import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spellOut, presentQuestion, type AskedCall } from "./present-question.js";

const asked = (input: unknown, parts: Partial<AskedCall> = {}): AskedCall => ({
  toolName: "t",
  input,
  class: "UNSAFE",
  isDestructive: true,
  ...parts,
});

describe("a presented question", () => {
  test("a presented question shows the whole input, or cannot be allowed", () => {
    const input = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary", maxLength: 12_000 }));
    fc.assert(
      fc.property(input, (value) => {
        const { input: text, mayAllow } = presentQuestion(asked(value));
        expect(mayAllow).toBe(text !== undefined);
        if (text === undefined) return;
        const read = text.replaceAll(/\\u\{([0-9a-f]+)\}/gu, (_, code: string) =>
          String.fromCodePoint(parseInt(code, 16)),
        );
        expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("a presented question has no character that a screen hides, reorders or shows as a blank", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { toolName, reason, notes, remembering, input } = presentQuestion(
          asked(
            { [text]: text },
            { toolName: text, reason: text, hidden: [`/${text}`], isDestructive: false, flow: { destination: text } },
          ),
        );
        for (const shown of [toolName, reason, ...notes, remembering, input?.replaceAll("\n", "")]) {
          expect(shown).not.toMatch(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u);
        }
      }),
    );
    expect(spellOut("a\u202e\u3164\u200b\u00a0\u2800\ufe0f\n b")).toBe(
      String.raw`a\u{202e}\u{3164}\u{200b}\u{a0}\u{2800}\u{fe0f}\u{a} b`,
    );
  });

  test("a presented question spells out letters from right to left, unless the caller isolates them", () => {
    const question = asked({ אבג: 100, ا: "١" }, { toolName: "א", reason: "א, 1", hidden: ["/א"] });
    expect(presentQuestion(question)).toMatchObject({
      toolName: String.raw`\u{5d0}`,
      reason: String.raw`\u{5d0}, 1`,
      input: String.raw`{"\u{5d0}\u{5d1}\u{5d2}":100,"\u{627}":"\u{661}"}`,
      notes: [String.raw`Hidden, because the tool declares it secret: /\u{5d0}.`],
    });
    expect(presentQuestion(question, { isolatesDirections: true })).toMatchObject({
      toolName: "א",
      reason: "א, 1",
      input: '{"אבג":100,"ا":"١"}',
      notes: ["Hidden, because the tool declares it secret: /א."],
    });
    const long = asked("א".repeat(20_000));
    expect([presentQuestion(long), presentQuestion(long, { isolatesDirections: true })]).toMatchObject([
      { mayAllow: true },
      { mayAllow: true },
    ]);
  });

  test.each([
    ["a long text", "x".repeat(50_000)],
    ["a text that its escapes make long", "\u3164".repeat(7000)],
    ["a deep list", JSON.parse(`${"[".repeat(66)}1${"]".repeat(66)}`)],
  ])("a presented question offers only a refusal for %s", (_what, input) => {
    const { mayAllow, input: shown, notes } = presentQuestion(asked(input));
    expect([mayAllow, shown, notes]).toEqual([
      false,
      undefined,
      ["The input is too long to be judged, so the call can only be refused here."],
    ]);
  });

  test.each<[string, Partial<AskedCall>, string]>([
    ["a mild call", { isDestructive: false }, "every call of t that is not destructive."],
    ["a destructive call", {}, "this exact input only."],
    ["what may leave", { isDestructive: false, flow: {} }, "this exact input only."],
    [
      "what may leave to a known destination",
      { isDestructive: false, flow: { destination: "ann" } },
      'every call of t to "ann", and none to anybody else.',
    ],
    ["what a destructive call may carry", { flow: { destination: "ann" } }, "this exact input only."],
  ])("a presented question about %s says what a remembered yes covers", (_, parts, covers) => {
    expect(presentQuestion(asked({}, parts)).remembering).toBe(`If it is remembered, a yes covers ${covers}`);
  });

  test("a presented question names hidden parts", () => {
    expect(presentQuestion(asked({ pin: "[secret]" }, { hidden: ["/pin"] }))).toMatchObject({
      mayAllow: true,
      notes: ["Hidden, because the tool declares it secret: /pin."],
    });
    const hidden = ["/".padEnd(60_000, "x")];
    expect(presentQuestion(asked({}, { hidden }))).toMatchObject({ mayAllow: false, input: undefined });
    expect(presentQuestion(asked({}, { hidden: ["/pin"], refuseOnly: true })).mayAllow).toBe(false);
  });
});
