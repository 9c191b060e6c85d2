import {
  buildTool,
  createDispatcher,
  toolResult,
  type AnyTool,
  type Dispatcher,
  type DispatcherOptions,
} from "@hasp/runtime";

/** A log of the handlers of these tests, in order: `find a begins`, `find a ends`. */
export interface Notebook {
  readonly tools: readonly AnyTool[];
  readonly log: string[];
  /** The most handlers that ran at one time. */
  readonly together: { most: number; writersBesideOthers: number };
}

const string = { type: "string", minLength: 1 } as const;

/** A small toolset of one tool of each kind, whose handlers take a little while and write down when. */
export function openNotebook(milliseconds = 5): Notebook {
  const log: string[] = [];
  const together = { most: 0, writersBesideOthers: 0 };
  const running = new Set<string>();

  async function work<Value>(name: string, writes: boolean, signal: AbortSignal, value: () => Value): Promise<Value> {
    log.push(`${name} begins`);
    if (writes && running.size > 0) together.writersBesideOthers += 1;
    running.add(name);
    together.most = Math.max(together.most, running.size);
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          log.push(`${name} is aborted`);
          reject(new Error("aborted"));
        });
      });
      return value();
    } finally {
      running.delete(name);
      log.push(`${name} ends`);
    }
  }

  const find = buildTool<{ q: string; limit: number }>({
    name: "find_notes",
    title: "Find notes",
    description: "Finds notes.",
    aliases: ["search_notes"],
    input: {
      type: "object",
      required: ["q"],
      properties: { q: string, limit: { type: "integer", minimum: 1, default: 10 } },
    },
    output: {
      type: "object",
      required: ["hits"],
      properties: { hits: { type: "array", items: { type: "string" } } },
      additionalProperties: false,
    },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: ({ q, limit }, { signal, progress }) => {
      progress({ progress: 1, total: 2, message: "half" });
      return work(`find ${q}`, false, signal, () => ({ hits: [q, String(limit)] }));
    },
  });
  const save = buildTool<{ name: string; text: string }>({
    name: "save_note",
    description: "Saves a note.",
    input: { type: "object", required: ["name", "text"], properties: { name: string, text: { type: "string" } } },
    concurrency: { class: "WRITE_EXCLUSIVE" },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    execute: ({ name }, { signal }) => work(`save ${name}`, true, signal, () => `saved ${name}`),
  });
  const wipe = buildTool<{ name: string }>({
    name: "wipe_note",
    description: "Removes a note for good.",
    input: { type: "object", required: ["name"], properties: { name: string } },
    concurrency: { class: "WRITE_EXCLUSIVE" },
    behavior: { isOpenWorld: false },
    execute: ({ name }, { signal }) => work(`wipe ${name}`, true, signal, () => `wiped ${name}`),
  });
  const draw = buildTool({
    name: "draw_note",
    description: "Draws a note.",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: () =>
      toolResult({
        content: [
          { type: "text", text: "a dot" },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        ],
      }),
  });
  const fail = buildTool({
    name: "fail_note",
    description: "Fails.",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: () => {
      throw new Error("the pen is dry");
    },
  });
  const hush = buildTool({
    name: "hush_note",
    description: "Says nothing.",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: () => "",
  });
  return { tools: [find, save, wipe, draw, fail, hush], log, together };
}

/** A notebook with one tool, whose input a step before the question completes with the price of the moment. */
export function openShop(): Notebook & { price: number } {
  const shop = { ...openNotebook(), price: 10 };
  const amount = { type: "integer" } as const;
  const pay = buildTool<{ id: string; amount: number }>({
    name: "pay_order",
    description: "Pays an order.",
    input: { type: "object", required: ["id"], properties: { id: string, amount } },
    prepare: (input) => ({ ...(input as object), amount: shop.price }),
    execute: (input) => {
      shop.log.push(`${input.id} for ${input.amount}`);
      return "paid";
    },
  });
  return Object.assign(shop, { tools: [pay] });
}

/** A dispatcher over a notebook's tools. */
export function dispatcherOf(notebook: Notebook, options: Partial<DispatcherOptions> = {}): Dispatcher {
  return createDispatcher({ tools: notebook.tools, ...options });
}
