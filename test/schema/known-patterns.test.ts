import { lower, type JsonSchema } from "@hasp/schema";
import { expect, test } from "vitest";
import { z } from "zod";

const SAID: { readonly [name: string]: readonly [z.ZodType, string] } = {
  "z.iso.date": [z.iso.date(), "Format: date."],
  "z.iso.datetime": [z.iso.datetime(), "Format: date-time. In UTC: it ends with Z."],
  "z.iso.datetime with an offset": [z.iso.datetime({ offset: true }), "Format: date-time."],
  "z.iso.datetime without an offset": [
    z.iso.datetime({ local: true }),
    "Format: date-time. It ends with Z, or says no offset.",
  ],
  "z.iso.time": [z.iso.time(), "Format: time. Without an offset."],
  "z.iso.duration": [z.iso.duration(), "Format: duration."],
  "z.email": [z.email(), "Format: email."],
  "z.uuid": [z.uuid(), "Format: uuid."],
  "z.uuidv7": [z.uuidv7(), "Format: uuid. Of version 7."],
  "z.guid": [z.guid(), "Format: uuid."],
  "z.ipv4": [z.ipv4(), "Format: ipv4."],
  "z.ipv6": [z.ipv6(), "Format: ipv6."],
  "z.hostname": [z.hostname(), "Format: hostname."],
};

test.each(Object.entries(SAID))("the pattern of %s is put in words as its format", (_, [type, words]) => {
  const { $schema: _draft, ...schema } = z.toJSONSchema(type);
  const lowered = lower({ type: "object", properties: { at: schema } } as JsonSchema, "ollama", { witnessBudget: 0 });
  expect(lowered.schema).toEqual({ type: "object", properties: { at: { type: "string", description: words } } });
  expect(lowered.losses.map(({ keyword }) => keyword)).toContain("pattern");
});

// As ArkType 2.2.10 writes them.
const ARKTYPE: readonly { readonly format: string; readonly pattern: string }[] = [
  {
    format: "ipv4",
    pattern:
      "^((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$",
  },
  {
    format: "ipv6",
    pattern:
      "^((?:(?:[0-9a-fA-F]{1,4}):){7}(?:(?:[0-9a-fA-F]{1,4})|:)|(?:(?:[0-9a-fA-F]{1,4}):){6}(?:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|:(?:[0-9a-fA-F]{1,4})|:)|(?:(?:[0-9a-fA-F]{1,4}):){5}(?::((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,2}|:)|(?:(?:[0-9a-fA-F]{1,4}):){4}(?:(:(?:[0-9a-fA-F]{1,4})){0,1}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,3}|:)|(?:(?:[0-9a-fA-F]{1,4}):){3}(?:(:(?:[0-9a-fA-F]{1,4})){0,2}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,4}|:)|(?:(?:[0-9a-fA-F]{1,4}):){2}(?:(:(?:[0-9a-fA-F]{1,4})){0,3}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,5}|:)|(?:(?:[0-9a-fA-F]{1,4}):){1}(?:(:(?:[0-9a-fA-F]{1,4})){0,4}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(:(?:[0-9a-fA-F]{1,4})){1,6}|:)|(?::((?::(?:[0-9a-fA-F]{1,4})){0,5}:((?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])[.]){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])|(?::(?:[0-9a-fA-F]{1,4})){1,7}|:)))(%[0-9a-zA-Z.]{1,})?$",
  },
];

test.each(ARKTYPE)("the pattern of ArkType for $format is not repeated in words", (schema) => {
  const properties = { at: { type: "string", ...schema } };
  const lowered = lower({ type: "object", properties } as JsonSchema, "ollama", { witnessBudget: 0 });
  expect(lowered.schema).toMatchObject({ properties: { at: { description: `Format: ${schema.format}.` } } });
});
