import type { JsonValue } from "@hasp/schema";
import { isObject, unescapeToken, own } from "../model/json.js";

export type ValuePath = readonly (string | number)[];

export function findValue(
  root: JsonValue,
  pointer: string,
): { readonly path: ValuePath; readonly value: JsonValue } | undefined {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = root;
  for (const token of pointer.split("/").slice(1)) {
    const key = unescapeToken(token);
    if (Array.isArray(value) && /^(?:0|[1-9]\d*)$/u.test(key)) {
      path.push(Number(key));
      value = (value as readonly JsonValue[])[Number(key)];
    } else {
      path.push(key);
      value = isObject(value) ? own(value, key) : undefined;
    }
    if (value === undefined) return undefined;
  }
  return { path, value };
}

export function replaceValue(root: JsonValue, path: ValuePath, replacement: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  const isLast = rest.length === 0;
  if (Array.isArray(root)) {
    const items = root as readonly JsonValue[];
    return items.flatMap((item, index) => {
      if (index !== step) return [item];
      return isLast ? (replacement === undefined ? [] : [replacement]) : [replaceValue(item, rest, replacement)];
    });
  }
  if (!isObject(root)) return root;
  return Object.fromEntries(
    Object.entries(root).flatMap(([key, item]): readonly (readonly [string, JsonValue])[] => {
      if (key !== step) return [[key, item]];
      if (!isLast) return [[key, replaceValue(item, rest, replacement)]];
      return replacement === undefined ? [] : [[key, replacement]];
    }),
  );
}
