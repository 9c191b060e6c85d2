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

const TOOL_FIELDS = [
  "type",
  "name",
  "description",
  "input_schema",
  "strict",
  "cache_control",
  "defer_loading",
  "input_examples",
  "allowed_callers",
  "eager_input_streaming",
];

/**
 * Anthropic's Messages API as far as tools go, with conversations that the server holds (`thread`). `replies` are the
 * contents of its answers, one a request.
 */
export function openAnthropicApi(replies: readonly (readonly Json[])[]): Promise<LoopbackApi> {
  const held = new Map<string, readonly unknown[]>();
  return openApi(
    (path, body, turn) => {
      if (path !== "/v1/messages") refuse(`no such path: ${path}`);
      checkTools(body);
      const messages = [...heldBefore(held, body), ...listOf(body["messages"], "messages")];
      checkMessages(messages);
      const content = replies[turn] ?? [{ type: "text", text: "done" }];
      const id = `msg_${turn}`;
      held.set(id, [...messages, { role: "assistant", content }]);
      return {
        id,
        type: "message",
        role: "assistant",
        model: body["model"],
        content,
        stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      };
    },
    (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
  );
}

function heldBefore(held: ReadonlyMap<string, readonly unknown[]>, { thread }: Json): readonly unknown[] {
  if (thread === undefined) return [];
  const { type, previous_message_id: id } = objectOf(thread, "thread");
  if (type === "create") return [];
  return held.get(String(id)) ?? refuse(`thread: there is no message ${String(id)} to go on from`);
}

function checkTools({ tools = [] }: Json): void {
  const entries = listOf(tools, "tools").map((tool, index) => objectOf(tool, `tools.${index}`));
  checkNames(
    entries.map(({ name }) => name),
    /^[a-zA-Z0-9_-]{1,128}$/u,
  );
  for (const [index, tool] of entries.entries()) {
    onlyKnown(tool, TOOL_FIELDS, `tools.${index}`);
    const schema = objectOf(tool["input_schema"], `tools.${index}.input_schema`);
    for (const keyword of ["oneOf", "allOf", "anyOf"]) {
      if (keyword in schema) {
        refuse(`tools.${index}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
      }
    }
    checkSchema(schema, tool["strict"] === true ? "anthropic-strict" : "anthropic", `tools.${index}.input_schema`);
  }
}

function checkMessages(messages: readonly unknown[]): void {
  let open: readonly string[] = [];
  messages.forEach((value, index) => {
    const message = objectOf(value, `messages.${index}`);
    const blocks =
      typeof message["content"] === "string"
        ? []
        : listOf(message["content"], `messages.${index}.content`).map((block) => objectOf(block, "block"));
    if (message["role"] === "assistant") {
      if (open.length > 0) {
        refuse(
          `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${open.join(", ")}`,
        );
      }
      open = blocks.flatMap((block) => (block["type"] === "tool_use" ? [String(block["id"])] : []));
      return;
    }
    const results = blocks.filter((block) => block["type"] === "tool_result");
    const ids = results.map((block) => String(block["tool_use_id"]));
    const missing = open.filter((id) => !ids.includes(id));
    if (missing.length > 0) {
      refuse(
        `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${missing.join(", ")}`,
      );
    }
    const unexpected = ids.filter((id) => !open.includes(id));
    if (unexpected.length > 0) {
      refuse(`messages.${index}: unexpected tool_use_id found in tool_result blocks: ${unexpected.join(", ")}`);
    }
    if (new Set(ids).size !== ids.length) refuse(`messages.${index}: each tool_use must have a single result`);
    if (
      blocks.findIndex((block) => block["type"] !== "tool_result") < results.length &&
      results.length > 0 &&
      blocks.length > results.length
    ) {
      refuse(`messages.${index}: tool_result blocks must come first`);
    }
    results.forEach((block) => checkResult(block, `messages.${index}`));
    open = [];
  });
  if (open.length > 0) refuse(`the last message has calls without results: ${open.join(", ")}`);
}

function checkResult(block: Json, where: string): void {
  onlyKnown(block, ["type", "tool_use_id", "content", "is_error", "cache_control"], where);
  const { content = [] } = block;
  if (typeof content === "string") return;
  for (const part of listOf(content, `${where}.content`)) {
    const { type, text, source } = objectOf(part, `${where}.content`);
    if (type === "text" && (typeof text !== "string" || text === "")) {
      refuse(`${where}: text content blocks must be non-empty`);
    }
    if (type === "image") {
      const { media_type: media } = objectOf(source, `${where}.source`);
      if (!["image/jpeg", "image/png", "image/gif", "image/webp"].includes(String(media))) {
        refuse(`${where}: media type ${String(media)}`);
      }
    } else if (type !== "text") refuse(`${where}: no block of type ${String(type)} in a tool_result`);
  }
}
