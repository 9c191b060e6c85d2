import { copyJson, deepFreeze } from "@hasp/base/json";
import type { ToolCall } from "../../tool/definition.js";

const MOST_CHARACTERS = 10_000;

/** Returns who made a call; `undefined` if nobody says so, `false` for what no writer could send back. */
export function readOrigin(received: Pick<ToolCall, "origin">): ToolCall["origin"] | false {
  try {
    const given: unknown = received.origin;
    if (given === undefined) return undefined;
    const origin = copyJson(given) as NonNullable<ToolCall["origin"]>;
    const { caller: _caller, namespace = "", type = "custom", ...others } = origin;
    const isKnown = typeof namespace === "string" && type === "custom" && Object.keys(others).length === 0;
    return isKnown && JSON.stringify(origin).length <= MOST_CHARACTERS && deepFreeze(origin);
  } catch {
    return false;
  }
}
