import { RIGHT_TO_LEFT_RUN, INVISIBLE } from "@hasp/base/diagnostics";

export type Child = Node | string | number | undefined | false | readonly Child[];

/** An element's attributes: `undefined` and `false` omit one, and a function listens to an event. */
interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void);
}

/** Creates an element. Texts become text nodes, never markup. Never take names of attributes or elements from data. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (child instanceof Node) element.appendChild(child);
    else if (typeof child === "object") append(element, child);
    else appendText(element, String(child));
  }
}

export function replace(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Appends a text. Spells out characters that are invisible or change its direction. */
function appendText(element: Node, text: string): void {
  let end = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    const [character] = match;
    if (character === "\n" || character === "\t") continue;
    appendIsolated(element, text.slice(end, match.index));
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const shown = document.createElement("span");
    shown.className = "invisible";
    shown.appendChild(document.createTextNode(`U+${code}`));
    element.appendChild(shown);
    end = match.index + character.length;
  }
  appendIsolated(element, text.slice(end));
}

/** Appends a text in which words from right to left move nothing but their own letters. */
function appendIsolated(element: Node, text: string): void {
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RIGHT_TO_LEFT_RUN)) {
    if (index > end) element.appendChild(document.createTextNode(text.slice(end, index)));
    const isolated = document.createElement("bdi");
    isolated.appendChild(document.createTextNode(run));
    element.appendChild(isolated);
    end = index + run.length;
  }
  if (end < text.length) element.appendChild(document.createTextNode(text.slice(end)));
}
