import type { DispatcherOptions } from "../contract/dispatcher.js";

const OPTIONS: {
  readonly [option in keyof Required<DispatcherOptions>]: "function" | "boolean" | "object" | "text" | "amount" | "any";
} = {
  tools: "any",
  mcp: "object",
  permissions: "object",
  hooks: "object",
  features: "function",
  interactive: "boolean",
  maxConcurrency: "any",
  gate: "object",
  resultStore: "object",
  turnResultBudgetChars: "amount",
  refreshTools: "function",
  onProgress: "function",
  onEvent: "function",
  dialect: "text",
  deferral: "text",
  env: "object",
  retryDelayMs: "function",
  hookTimeoutMs: "amount",
  callTracker: "object",
};

/** Throws a `TypeError` for an option that is misspelt or of the wrong kind: a guard that is not heard of guards nothing. */
export function checkOptions(options: DispatcherOptions<never>): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError("createDispatcher takes options: { tools }.");
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof DispatcherOptions] : undefined;
    if (kind === undefined)
      throw new TypeError(`The option \`${name}\` is unknown; known are ${Object.keys(OPTIONS).join(", ")}.`);
    if (value !== undefined && !fits(value, kind))
      throw new TypeError(`The option \`${name}\` must be ${WORDS[kind]}.`);
  }
  const { deferral, hooks = {} } = options;
  if (deferral !== undefined && deferral !== "search" && deferral !== "provider") {
    throw new TypeError("The option `deferral` must be search or provider.");
  }
  for (const [name, hook] of Object.entries(hooks)) {
    if (!["transform", "guard", "post"].includes(name)) {
      throw new TypeError(`\`hooks.${name}\` is unknown; known are transform, guard, post.`);
    }
    const list: readonly unknown[] = hook === undefined ? [] : Array.isArray(hook) ? hook : [hook];
    if (!list.every((item) => typeof item === "function"))
      throw new TypeError(`\`hooks.${name}\` must be a function, or a list of them.`);
  }
}

type Kind = (typeof OPTIONS)[keyof typeof OPTIONS];

const WORDS: { readonly [kind in Kind]: string } = {
  function: "a function",
  boolean: "true or false",
  object: "an object",
  text: "a text",
  amount: "a number above 0",
  any: "anything",
};

function fits(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "any":
      return true;
    case "text":
      return typeof value === "string";
    case "amount":
      return typeof value === "number" && value > 0;
    case "object":
      return typeof value === "object" && value !== null;
    default:
      return typeof value === kind;
  }
}
