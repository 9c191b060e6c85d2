import type { JsonValue } from "@hasp/schema";

/** Cuts a text to so many characters and says how many are missing. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/u.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** Returns a value if its JSON is no longer than a page can show: by default 4000 characters. */
export function shortValue(value: JsonValue | undefined, most: number = 4000): JsonValue | undefined {
  return value !== undefined && JSON.stringify(value).length <= most ? value : undefined;
}
