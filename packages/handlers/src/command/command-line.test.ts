import fc from "fast-check";
import { expect, test } from "vitest";
import { argument, wholeArguments } from "./handler.js";
import { readCommandLine } from "@hasp/base/declared";

/** Programs that run the command after their options and, after `|`, the other arguments they take. */
const WRAPPED: readonly string[] = [
  "sudo|", "sudo -u root|", "sudo -uroot -n|", "sudo --user=root|LANG=C", "sudo -nEu root|", "doas -u me|", "env|", "env -i|A=b",
  "env -|", "/usr/bin/env -u PATH -C /tmp|A=b C=d", "timeout|5", "timeout -k 1s|5", "timeout --signal=KILL|5", "timeout -s9|5",
  "nice|", "nice -n 5|", "nice -n5|", "nice -10|", "xargs -0 -n 1|", "xargs -I {}|", "nohup|", "time -p|", "stdbuf -oL|",
  "stdbuf -o L -e0|", "setsid -w|", "ionice -c2 -n7|", "flock -w 5|/tmp/lock", "chroot|/srv", "taskset|3", "gosu|me",
]; // prettier-ignore
const beginning = fc.tuple(fc.constantFrom(...WRAPPED), fc.boolean()).map(([line, isSeparated]) => {
  const [options = [], others = []] = line.split("|").map((part) => part.split(" ").filter((word) => word !== ""));
  return [...options, ...(isSeparated ? ["--"] : []), ...others];
});
const beginnings = fc.array(beginning, { maxLength: 4 }).map((lines) => lines.flat());

test("finds the program and its own separator behind any wrappers", () => {
  fc.assert(
    fc.property(beginnings, fc.boolean(), (before, hasSeparator) => {
      const argv = [...before, "git", "log", ...(hasSeparator ? ["--"] : []), "x"];
      expect(readCommandLine(argv)).toEqual({
        start: before.length,
        separator: hasSeparator ? before.length + 2 : argv.length,
      });
    }),
    { numRuns: 300 },
  );
});

test("refuses a value that could be an option of the program, whatever wraps it", () => {
  fc.assert(
    fc.property(beginnings, fc.constantFrom("-x", "--output=file", "--"), (before, value) => {
      const run = (...words: readonly string[]) => wholeArguments([...before, ...words]);
      expect(() => run("git", "log", argument(value))).toThrow(/begins with "-"/u);
      expect(() => run("git", "log", argument(value), "--")).toThrow(/begins with "-"/u);
      expect(run("git", "log", "--", argument(value))).toEqual([...before, "git", "log", "--", value]);
      expect(() => run(argument("git"), "log")).toThrow(/program of a command/u);
    }),
    { numRuns: 300 },
  );
});

test.each([
  // An unlisted option of a wrapper might take the separator as its value.
  ["sudo --new-option git log -- x", "none"],
  ["env -S git log -- x", "none"],
  // The first separator belongs to the wrapper.
  ["kubectl exec pod -- git log x", "none"],
  ["kubectl exec pod -- git log -- x", 6],
  ["kubectl exec pod -- env -- git log x", "none"],
  ["kubectl exec pod -- env -- git log -- x", 8],
  ["docker run image git log -- x", "none"],
  ["npx -- tool x", "none"],
  ["git submodule foreach -- git log x", "none"],
  ["find . -- x", "none"],
  ["grep -e pattern -- x", 3],
  ["git", "none"],
  ["env", "none"],
] as const)("finds the separator of the last program: %s", (line, separator) => {
  const argv = line.split(" ");
  expect(readCommandLine(argv).separator).toBe(separator === "none" ? argv.length : separator);
});

test.each(["op run", "prlimit", "aws-vault exec me", "entr", "chronic", "any-other"])(
  "does not take a separator of %s for the wrapped program's",
  (line) => {
    const wrapper = line.split(" ");
    const value = argument("--output=file");
    expect(() => wholeArguments([...wrapper, "--", "git", "log", value])).toThrow(/begins with "-"/u);
    expect(() => wholeArguments([...wrapper, "--", argument("a"), "git", value])).toThrow(/begins with "-"/u);
    const separated = [...wrapper, "--", "git", "log", "--"];
    expect(wholeArguments([...separated, argument("a"), value, "b"])).toEqual([
      ...separated,
      "a",
      "--output=file",
      "b",
    ]);
  },
);

test.each([["timeout", "5"], ["env"], ["sudo", "-u", "me"]])(
  "refuses a program that a value names, after %s",
  (...before) => {
    expect(() => wholeArguments([...before, argument("rm"), "x"])).toThrow(/program of a command/u);
    expect(() => wholeArguments([...before, argument("A=b"), "git"])).toThrow(/program of a command/u);
  },
);
