import type { JsonValue } from "@hasp/schema";

export type Difference =
  | { readonly kind: "filled"; readonly pointer: string; readonly after: JsonValue }
  | { readonly kind: "dropped"; readonly pointer: string; readonly before: JsonValue }
  | { readonly kind: "changed"; readonly pointer: string; readonly before: JsonValue; readonly after: JsonValue };

/** Lists defaults that the runtime filled in, and values that it converted. */
export function differences(before: JsonValue, after: JsonValue, pointer = ""): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === undefined || now === undefined || Array.isArray(before) !== Array.isArray(after)) {
    return [{ kind: "changed", pointer, before, after }];
  }
  const at = (key: string): string => `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): readonly Difference[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was === undefined) return is === undefined ? [] : [{ kind: "filled", pointer: at(key), after: is }];
    return is === undefined ? [{ kind: "dropped", pointer: at(key), before: was }] : differences(was, is, at(key));
  });
}

function entriesOf(value: JsonValue): ReadonlyMap<string, JsonValue> | undefined {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}
