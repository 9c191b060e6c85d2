import { createHash } from "node:crypto";
import type { SourceText } from "@hasp/compiler";
import { decodeUtf8 } from "../fs/read-text.js";
import { createProjectReader, type ProjectReader } from "../fs/read-inside.js";

/** The folder of pinned remote schemas. It is committed: only `hasp build --pin` uses the network for them. */
export const REMOTES_FOLDER = "hasp-remotes";

export interface PinnedRemote {
  readonly address: string;
  readonly sha256: string;
}

/** Returns the path of a pinned schema's text in the project: its readable address, and its digest. */
export function locateStoredRemote({ address, sha256 }: PinnedRemote): string {
  const { host, pathname } = new URL(address);
  const [, stem = "", ending = ""] = /^(.*?)(\.json|\.ya?ml)?$/iu.exec(`${host}${pathname}`) ?? [];
  const name = stem
    .replaceAll(/[^\w.-]+/gu, "-")
    .slice(-80)
    .replace(/^[-.]+/u, "");
  return `${REMOTES_FOLDER}/${name}-${sha256.slice(0, 16)}${ending.toLowerCase()}`;
}

/** Reads the stored text of a pinned schema. A text with another digest than the pinned one is refused. */
export function readStoredRemote(root: string, remote: PinnedRemote, reader?: ProjectReader): SourceText {
  const { address, sha256 } = remote;
  const refused = (unreadable: string): SourceText => ({ uri: address, role: "shared", text: "", unreadable });
  if (!URL.canParse(address)) return refused("it is not a URL");
  const path = locateStoredRemote(remote);
  const bytes = (reader ?? createProjectReader(root)).readBytes(path);
  if (bytes === undefined) {
    return refused(
      `its text is not stored in ${path}; run "hasp build --pin" once while online, and commit what it writes`,
    );
  }
  const digest = digestOfBytes(bytes);
  if (digest !== sha256) {
    return refused(
      `the stored text in ${path} has the sha256 ${digest}, but the configuration pins ${sha256}; delete the file and run "hasp build --pin"`,
    );
  }
  const decoded = decodeUtf8(bytes);
  return "text" in decoded ? { uri: address, role: "shared", text: decoded.text } : refused(decoded.reason);
}

/** Returns a sha256 as the configuration writes it. */
export function digestOfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
