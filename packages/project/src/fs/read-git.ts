import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runGit } from "./run-git.js";

/** Returns git's user in a folder, `Name <email>` or one of the two; `undefined` if git knows neither. */
export function readGitUser(folder: string): string | undefined {
  const { status, out } = runGit(folder, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
  if (status !== 0) return undefined;
  const pairs = out
    .toString("utf8")
    .split("\0")
    .map(
      (line) =>
        [
          line.replace(/\n.*/su, ""),
          line
            .replace(/^[^\n]*\n?/u, "")
            .replace(/\s+/gu, " ")
            .trim(),
        ] as const,
    );
  const known = new Map(pairs);
  const [name, email] = [known.get("user.name") ?? "", known.get("user.email") ?? ""];
  const user = [name, ...(email === "" ? [] : [name === "" ? email : `<${email}>`])].join(" ").trim();
  return user === "" ? undefined : user;
}

/** Finds the nearest folder, from `folder` upwards, that holds an entry of this name. */
export function findUp(folder: string, entry: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, entry))) return current;
    if (dirname(current) === current) return undefined;
  }
}

export function findFirstExisting(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}
