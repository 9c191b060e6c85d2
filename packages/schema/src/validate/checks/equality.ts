import { canonicalText } from "@hasp/base/json";

/** Returns a scalar or text that two JSON values share exactly if JSON Schema calls them equal. */
export function createEqualityKey(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "object" && value !== null ? canonicalText(value) : value;
}

/** A map by JSON Schema equality, in which a lookup costs no more than the largest listed value. */
export class ValueMap<Entry> {
  readonly #entries = new Map<unknown, Entry>();
  #longest = 0;

  get(value: unknown): Entry | undefined {
    const isContainer = typeof value === "object" && value !== null;
    return isContainer && roomBeside(value, this.#longest) < 0
      ? undefined
      : this.#entries.get(createEqualityKey(value));
  }

  set(value: unknown, entry: Entry): void {
    const key = createEqualityKey(value);
    if (typeof value === "object" && value !== null) this.#longest = Math.max(this.#longest, String(key).length);
    this.#entries.set(key, entry);
  }
}

/** Subtracts the least length of a value's JSON text from `room`, and stops as soon as nothing is left. */
function roomBeside(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room - 2;
  if (left < 0) return left;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const part: unknown = Reflect.get(value, key);
    if (part !== undefined) left = roomBeside(part, left);
    if (left < 0) return left;
  }
  return left;
}
