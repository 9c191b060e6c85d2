import { isObject, own } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { SPEC_KEYS } from "../model/spec-keys.js";

/** The keys that earlier versions had at the top of a spec: the group and the name that each has now. */
export const MOVED_KEYS: { readonly [key: string]: readonly [group: keyof typeof SPEC_KEYS, name: string] } = {
  searchHint: ["visibility", "searchHint"],
};

/** Finds the new place of a key of an earlier version; `undefined` if something else is there. */
export function findMove(spec: JsonValue, key: string): readonly [group: string, name: string] | undefined {
  const to = own(MOVED_KEYS, key);
  if (to === undefined || !isObject(spec)) return undefined;
  const { [to[0]]: group = {} } = spec;
  return isObject(group) && !Object.hasOwn(group, to[1]) ? to : undefined;
}
