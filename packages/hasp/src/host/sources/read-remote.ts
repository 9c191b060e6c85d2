import { createHash } from "node:crypto";
import { thrownText } from "../../diagnostics/thrown-text.js";
import type { SourceText } from "../../model/document.js";
import { MEGABYTE, MEGABYTES_LIMIT } from "../../phases/1-load/limits.js";

const PATIENCE_MILLISECONDS = 15_000;

/** Fetches a schema that the configuration pins; a text with another digest is not used. */
export async function readRemote(address: string, sha256: string): Promise<SourceText> {
  const refused = (unreadable: string): SourceText => ({ uri: address, role: "shared", text: "", unreadable });
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
    if (!response.ok) return refused(`the server answers ${response.status}`);
    const bytes = await readBytes(response);
    if (bytes === undefined) return refused(`it has more than ${MEGABYTES_LIMIT} MB`);
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (digest !== sha256) return refused(`its sha256 is ${digest}, and the configuration pins ${sha256}`);
    return {
      uri: address,
      role: "shared",
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch (error) {
    return refused(thrownText(error));
  }
}

/** The body, or `undefined` once it turns out to be too large. */
async function readBytes(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MEGABYTES_LIMIT * MEGABYTE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
