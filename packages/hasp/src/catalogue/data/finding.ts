import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";
import { isUnproved } from "../../diff/index.js";
import type { Finding, Place } from "../model.js";
import { cut } from "./cut.js";

/** Returns a finding as a page shows it. */
export function findingOf({ severity, code, message, help, tool, location }: Diagnostic): Finding {
  return {
    severity,
    code,
    message: cut(message, LONGEST_MESSAGE),
    ...(help === undefined ? {} : { help: cut(help, LONGEST_MESSAGE) }),
    ...(tool === undefined ? {} : { tool }),
    ...(location === undefined ? {} : { place: placeOf(location) }),
    ...(isUnproved(code) ? { may: true as const } : {}),
  };
}

/** Returns the file and the line of a location. */
export function placeOf({ uri, range }: Location): Place {
  return { uri, line: range.start.line };
}

const LONGEST_MESSAGE = 2000;
