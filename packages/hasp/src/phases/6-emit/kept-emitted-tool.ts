import type { JsonValue } from "@hasp/schema";
import type { Kept } from "../../model/memory.js";
import type { FlatTool } from "../../model/tool.js";
import type { EmittedTool } from "./emit-tool.js";

/**
 * A text of more characters than this stands by itself: to write it as JSON and to read it again would cost more than
 * all else.
 */
const LONG = 100;
/** What stands in the place of such a text, before its number. */
const MARK = "\u0000";

/**
 * How emitted parts are kept from run to run: as JSON with a number in the place of each long text, then the texts as
 * they are. The first line has the JSON and the lengths of the texts.
 */
export const keptEmittedTool: Kept<FlatTool, EmittedTool> = {
  name: "parts",
  encode(tool) {
    const texts: string[] = [];
    const frame = JSON.stringify(tool, (_key, value: JsonValue) => {
      if (typeof value !== "string" || (value.length <= LONG && !value.startsWith(MARK))) return value;
      return `${MARK}${texts.push(value) - 1}`;
    });
    const head = `${JSON.stringify([frame, texts.map(({ length }) => length)])}\n`;
    // Joined at once: a text put together of two is put together again when it is first read.
    return [head, ...texts].join("");
  },
  decode(text) {
    const end = text.indexOf("\n");
    const [frame, lengths] = JSON.parse(text.slice(0, end)) as readonly [string, readonly number[]];
    let position = end + 1;
    const texts = lengths.map((length) => text.slice(position, (position += length)));
    return JSON.parse(frame, (_key, value: JsonValue) =>
      typeof value === "string" && value.startsWith(MARK) ? texts[Number(value.slice(MARK.length))] : value,
    ) as EmittedTool;
  },
};
