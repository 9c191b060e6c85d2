import { findNearestName } from "@hasp/schema/internal/keywords";
import type { CallPart, ToolDoor, TurnPart } from "./extension.js";

/** The doors of a turn's part. The type requires a row for each. */
export const TURN_DOORS: ReadonlySet<string> = /* @__PURE__ */ listDoors<TurnPart>({
  ready: true,
  call: true,
  keep: true,
  beginBatch: true,
  endBatch: true,
  end: true,
});

/** The doors of a call's part. The type requires a row for each. */
export const CALL_DOORS: ReadonlySet<string> = /* @__PURE__ */ listDoors<CallPart>({
  version: true,
  vote: true,
  scope: true,
  start: true,
  answer: true,
  hide: true,
  returned: true,
  refused: true,
  received: true,
  ended: true,
  log: true,
  stored: true,
  labels: true,
});

function listDoors<Part>(doors: Record<keyof Part, true>): ReadonlySet<string> {
  return new Set(Object.keys(doors));
}

/** The doors for tools. The type requires a row for each. */
export const TOOL_DOORS: ReadonlySet<string> = /* @__PURE__ */ listDoors<ToolDoor>({
  marksDeferred: true,
  add: true,
  place: true,
  addAbout: true,
  renew: true,
  refresh: true,
});

/**
 * Throws for a member of a part that is no door: a misspelt `vote` must not pass in silence. Of a class, whose instances
 * may have members of their own, throws for a name that is nearly a door's, and checks the first instance only.
 */
export function checkDoors(part: object, doors: ReadonlySet<string>, known: WeakSet<object>): void {
  const prototype = Object.getPrototypeOf(part) as object | null;
  if (prototype === null || prototype === Object.prototype) {
    for (const name in part) {
      if (!doors.has(name)) refuse(name, findNearestName(name, doors));
    }
    return;
  }
  if (known.has(prototype)) return;
  let holder: object | null = part;
  while (holder !== null && holder !== Object.prototype) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      const isState = holder === part && typeof value !== "function";
      const nearest = isState || doors.has(name) ? undefined : findNearestName(name, doors);
      if (nearest !== undefined) refuse(name, nearest);
    }
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  known.add(prototype);
}

function refuse(name: string, nearest: string | undefined): never {
  throw new TypeError(`\`${name}\` is no door${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`);
}
