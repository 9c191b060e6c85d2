import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfText } from "../../emitters/digest.js";
import type { FileOwner } from "../../model/output.js";
import { entryAt } from "../fs/entries.js";
import type { FileStamp, FileStamps } from "../fs/file-stamps.js";
import { insideProject } from "../fs/inside-project.js";
import type { WriteReport } from "./write-files.js";

/** A file of a build without its text. */
export interface OutputRecord {
  readonly path: string;
  readonly owner: FileOwner;
  /** As `digestOfText` makes it. */
  readonly digest: string;
  /** Of the file with this content: as long as it has this stamp, it need not be read. */
  readonly stamp?: FileStamp;
}

/** The files of a build that all stand there. */
export interface StandingOutputs {
  /** What writing them would report. */
  readonly report: WriteReport;
  /** The same files, with the stamps that they have now. */
  readonly outputs: readonly OutputRecord[];
  /** Whether a file was read and will not have to be the next time. */
  readonly hasNewStamps: boolean;
}

/**
 * What writing the files would report if it had nothing to do, or `undefined` if it has: every file of hasp's stands
 * there with the text that its digest stands for, line endings aside, and every file of the user's is there. The
 * manifest is among them, so that nothing can be left over from an older build either. Without `stamps`, each is read.
 */
export function reportIfUnchanged(
  outputs: readonly OutputRecord[],
  root: string,
  stamps?: FileStamps,
): StandingOutputs | undefined {
  const isInside = insideProject(root);
  const isAsMade = ({ path, owner, digest }: OutputRecord): boolean =>
    isInside(path) && (owner === "user" ? isReadableFile(join(root, path)) : digestOfFile(join(root, path)) === digest);
  const standing: OutputRecord[] = [];
  let hasNewStamps = false;
  for (const output of outputs) {
    if (stamps?.isUnchanged(output.path, output.stamp) === true) standing.push(output);
    else if (isAsMade(output)) {
      const stamped = withStamp(output, stamps);
      hasNewStamps ||= stamped.stamp !== undefined;
      standing.push(stamped);
    } else return undefined;
  }
  const pathsOf = (owner: FileOwner): readonly string[] =>
    outputs.filter((output) => output.owner === owner).map(({ path }) => path);
  return {
    report: { created: [], updated: [], unchanged: pathsOf("hasp"), deleted: [], kept: pathsOf("user") },
    outputs: standing,
    hasNewStamps,
  };
}

/** A file of which this run knows that it stands there as it was made, with the stamp that shows it the next time. */
export function withStamp({ path, owner, digest }: OutputRecord, stamps: FileStamps | undefined): OutputRecord {
  const stamp = stamps?.of(path);
  return { path, owner, digest, ...(stamp === undefined ? {} : { stamp }) };
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return entryAt(path)?.isFile() === true;
  } catch {
    return false;
  }
}

/** The digest of a file's text; nothing where it cannot be read. */
function digestOfFile(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    // Most files have plain line endings, and need not be decoded.
    return bytes.includes("\r\n")
      ? digestOfText(bytes.toString("utf8"))
      : `sha256-${createHash("sha256").update(bytes).digest("base64url")}`;
  } catch {
    return undefined;
  }
}
