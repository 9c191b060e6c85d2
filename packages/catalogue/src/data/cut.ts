import type { JsonValue } from "@hasp/schema";

export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/u.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

export function shortenValue(value: JsonValue | undefined, most: number = 4000): JsonValue | undefined {
  return value !== undefined && JSON.stringify(value).length <= most ? value : undefined;
}
