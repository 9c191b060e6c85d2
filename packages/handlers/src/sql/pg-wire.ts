/**
 * Encodes statements without values and rows as the messages Parse, Bind and Execute: the same bytes for every call
 * (Postgres, "Message Formats").
 */
export function messagesOf(texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const messages = texts.flatMap((text) => [
    // An unnamed statement whose parameters have no stated types.
    ...message("P", [0, ...encoder.encode(text), 0, 0, 0]),
    // Its unnamed portal: no formats, no values, no formats of results.
    ...message("B", [0, 0, 0, 0, 0, 0, 0, 0]),
    // All of its rows.
    ...message("E", [0, 0, 0, 0, 0]),
  ]);
  return Uint8Array.from(messages);
}

/** Encodes a message: its kind, its length with that of the length itself, and its body. */
function message(kind: string, body: readonly number[]): readonly number[] {
  const length = body.length + 4;
  return [kind.charCodeAt(0), length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255, ...body];
}
