import {
  checkNames,
  checkSchema,
  listOf,
  objectOf,
  onlyKnown,
  openApi,
  refuse,
  type Json,
  type LoopbackApi,
} from "./loopback.testing.js";

/** One call of the model. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/u;

/**
 * OpenAI's Responses and Chat Completions APIs as far as tools go. `replies` are the calls of its answers, one a
 * request.
 */
export function openOpenAiApi(replies: readonly (readonly ModelCall[])[]): Promise<LoopbackApi> {
  const held = new Map<string, readonly unknown[]>();
  return openApi(
    (path, body, turn) => {
      const calls = replies[turn] ?? [];
      if (path === "/v1/responses") return respond(body, calls, turn, held);
      if (path === "/v1/chat/completions") return complete(body, calls, turn);
      return refuse(`no such path: ${path}`);
    },
    (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  );
}

/** `held` are the conversations that `previous_response_id` goes on from. */
function respond(body: Json, calls: readonly ModelCall[], turn: number, held: Map<string, readonly unknown[]>): Json {
  const tools = listOf(body["tools"] ?? [], "tools").map((tool, index) => objectOf(tool, `tools[${index}]`));
  checkNames(
    tools.map(({ name }) => name),
    NAME,
  );
  for (const [index, tool] of tools.entries()) {
    onlyKnown(tool, ["type", "name", "description", "parameters", "strict", "defer_loading"], `tools[${index}]`);
    checkSchema(
      tool["parameters"],
      tool["strict"] === true ? "openai-responses-strict" : "openai-responses",
      `tools[${index}].parameters`,
    );
  }
  const previous = body["previous_response_id"] ?? undefined;
  const before =
    previous === undefined
      ? []
      : (held.get(String(previous)) ?? refuse(`Previous response with id '${String(previous)}' not found.`));
  const input = [...before, ...listOf(body["input"], "input")];
  checkInput(input);
  const output = calls.map((call) => ({
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
    status: "completed",
  }));
  const words = {
    type: "message",
    id: `msg_${turn}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "done", annotations: [] }],
  };
  const id = `resp_${turn}`;
  const said = output.length > 0 ? output : [words];
  held.set(id, [...input, ...said]);
  return { id, object: "response", status: "completed", model: body["model"], output: said };
}

/** Each call must be answered once, and nothing else may be. */
function checkInput(items: readonly unknown[]): void {
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const value of items) {
    const item = objectOf(value, "input");
    const id = String(item["call_id"]);
    if (item["type"] === "function_call") called.add(id);
    if (item["type"] !== "function_call_output") continue;
    if (!called.has(id)) refuse(`No tool call found for function call output with call_id ${id}.`);
    if (answered.has(id)) refuse(`Duplicate function call output for call_id ${id}.`);
    answered.add(id);
    onlyKnown(item, ["type", "id", "call_id", "output", "status"], "input");
    if (typeof item["output"] === "string") continue;
    for (const part of listOf(item["output"], "input.output")) {
      const { type } = objectOf(part, "input.output");
      if (!["input_text", "input_image", "input_file"].includes(String(type))) {
        refuse(`input.output: no part of type ${String(type)}`);
      }
    }
  }
  const open = [...called].filter((id) => !answered.has(id));
  if (open.length > 0) refuse(`No tool output found for function call ${open[0]}.`);
}

function complete(body: Json, calls: readonly ModelCall[], turn: number): Json {
  const functions = listOf(body["tools"] ?? [], "tools").map((tool, index) => {
    const entry = objectOf(tool, `tools[${index}]`);
    onlyKnown(entry, ["type", "function"], `tools[${index}]`);
    return objectOf(entry["function"], `tools[${index}].function`);
  });
  checkNames(
    functions.map(({ name }) => name),
    NAME,
  );
  for (const [index, entry] of functions.entries()) {
    onlyKnown(entry, ["name", "description", "parameters", "strict"], `tools[${index}].function`);
    checkSchema(
      entry["parameters"],
      entry["strict"] === true ? "openai-chat-strict" : "openai-chat",
      `tools[${index}].function.parameters`,
    );
  }
  checkMessages(listOf(body["messages"], "messages").map((message) => objectOf(message, "messages")));
  const message =
    calls.length === 0
      ? { role: "assistant", content: "done", refusal: null }
      : {
          role: "assistant",
          content: null,
          refusal: null,
          tool_calls: calls.map(({ id, ...called }) => ({ id, type: "function", function: called })),
        };
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop", logprobs: null };
  return { id: `chat_${turn}`, object: "chat.completion", created: 0, model: body["model"], choices: [choice] };
}

/** The messages after an assistant's calls must be their answers, all of them, before anything else. */
function checkMessages(messages: readonly Json[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message["role"] === "tool") {
      const id = String(message["tool_call_id"]);
      if (!open.includes(id)) {
        refuse(`messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}`);
      }
      if (typeof message["content"] !== "string") refuse("messages.content: a tool message is text");
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) {
      refuse(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join(", ")}`,
      );
    }
    open = listOf(message["tool_calls"] ?? [], "tool_calls").map((call) => String(objectOf(call, "tool_calls")["id"]));
  }
  if (open.length > 0) {
    refuse(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join(", ")}`,
    );
  }
}
