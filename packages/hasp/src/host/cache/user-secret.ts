import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../fs/error-code.js";

const SECRET = /^[0-9a-f]{64}$/u;

/**
 * A secret that only this user can read, made when it is first asked for. It lies outside every project, so that nobody
 * can commit a cache that this user's hasp would take for its own. `undefined` where none can be kept.
 */
export function userSecret(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return read(join(folder, "secret")) ?? make(folder);
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return undefined;
  const isForeign = process.getuid !== undefined && (entry.uid !== process.getuid() || (entry.mode & 0o077) !== 0);
  if (!entry.isFile() || isForeign) throw new Error("somebody else can read or write the secret");
  const secret = readFileSync(path, "utf8");
  if (!SECRET.test(secret)) throw new Error("the secret is damaged");
  return secret;
}

/** Written whole before it has its name; of two processes that make one at once, both read the same. */
function make(folder: string): string | undefined {
  const path = join(folder, "secret");
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(temporary);
  }
  return read(path);
}
