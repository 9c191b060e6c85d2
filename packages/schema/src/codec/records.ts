import type { JsonValue } from "../json/json.js";

export interface MutableRecord {
  [key: string]: JsonValue;
}

/** Sets an own property, whatever its name: an assignment to `__proto__` would change the prototype instead. */
export function put(record: MutableRecord, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[key] = value;
  }
}
