import ignore from "ignore";

/** A line of CODEOWNERS. */
interface OwnerLine {
  readonly pattern: string;
  /** In lower case; none if the line says that nobody owns what it matches. */
  readonly owners: readonly string[];
}

/** Finds the line of CODEOWNERS that decides who owns a file: the last whose pattern matches. */
export function findOwnerLine(rules: string, path: string): OwnerLine | undefined {
  const [pattern, ...owners] =
    rules
      .split(/\r?\n/u)
      .map((line) =>
        line
          .replace(/(?:^|\s)#.*/u, "")
          .trim()
          .split(/(?<!\\)\s+/u),
      )
      .findLast(([pattern = ""]) => pattern !== "" && ownsBy(pattern, path)) ?? [];
  return pattern === undefined ? undefined : { pattern, owners: owners.map((owner) => owner.toLowerCase()) };
}

/** True if a pattern of CODEOWNERS matches a file. In contrast to git, `folder/*` does not match what is deeper. */
function ownsBy(pattern: string, path: string): boolean {
  const isShallow = pattern.endsWith("/*") && !pattern.endsWith("**/*");
  const depth = (text: string): number => text.replace(/^\//u, "").split("/").length;
  return ignore({ ignoreCase: false }).add(pattern).ignores(path) && !(isShallow && depth(path) > depth(pattern));
}
