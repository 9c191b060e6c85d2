import { visibleText } from "../../../compiler/src/text/visible-text.js";

/** Escapes a text so that nothing in it links, formats or loads anything. */
export function inert(text: string): string {
  return visibleText(text).replaceAll(/[\\`*_{}[\]()<>#+.!|~&-]/gu, String.raw`\$&`);
}

export function inCode(text: string): string {
  const shown = visibleText(text);
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/gu), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$/u.test(shown) || shown === "" ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
