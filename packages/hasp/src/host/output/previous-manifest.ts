import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfText } from "../../emitters/base/digest.js";
import { errorCode } from "../fs/error-code.js";
import { interruptedManifests } from "./temp-files.js";

/** What the manifest on disk says of the build before. */
export interface PreviousManifest {
  /**
   * The digests of each file that hasp made, by path: more than one where a build that never came to its end may have
   * changed the file.
   */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
  /** The file of each tool's handler, by the tool's name. */
  readonly handlers: ReadonlyMap<string, string>;
}

/**
 * Reads the manifest of the last build, and what a build after it left that was killed while it wrote; one that is
 * missing or damaged says that nothing was made.
 */
export function readPreviousManifest(root: string, manifestPath: string): PreviousManifest {
  const manifest = manifestAt(join(root, manifestPath));
  const outputs = new Map<string, string[]>();
  for (const each of [
    manifest,
    ...interruptedManifests(root, manifestPath).map((path) => manifestAt(join(root, path))),
  ]) {
    for (const [path, digest] of Object.entries(recordIn(each, "outputs")) as [string, unknown][]) {
      if (typeof digest !== "string") continue;
      const known = outputs.get(path);
      if (known === undefined) outputs.set(path, [digest]);
      else known.push(digest);
    }
  }
  const handlers = Object.entries(recordIn(manifest, "tools")).flatMap(
    ([tool, entry]: [string, unknown]): [string, string][] => {
      const handler = typeof entry === "object" && entry !== null && "handler" in entry ? entry.handler : undefined;
      return typeof handler === "string" ? [[tool, handler]] : [];
    },
  );
  return { outputs, handlers: new Map(handlers) };
}

function manifestAt(path: string): unknown {
  const text = readTextIfThere(path);
  return text === undefined ? undefined : parsed(text);
}

/** Whether a text is byte for byte what hasp made, line endings aside. */
export function isUnedited(text: string, digests: readonly string[] = []): boolean {
  return digests.length > 0 && digests.includes(digestOfText(text));
}

/** Whether two texts are the same, line endings aside: a checkout on Windows is no drift. */
export function isSameText(left: string, right: string): boolean {
  return left === right || left.replaceAll("\r\n", "\n") === right.replaceAll("\r\n", "\n");
}

/** A file's text, or `undefined` where there is none. Throws where something else is in the way. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    // Of a folder Node says "read" and no path.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordIn(value: unknown, key: string): object {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return {};
  const found: unknown = Reflect.get(value, key);
  return typeof found === "object" && found !== null ? found : {};
}
