import { NotExecuted } from "@hasp/runtime";
import { readCommandLine } from "../../../runtime/src/declared/command-line.js";

/** Marks the beginning of a value within an argument. No declaration and no value can hold this character. */
const MARK = "\0";

/** Linux refuses longer arguments. */
const MOST_BYTES_OF_ONE = 128 * 1024 - 1;

/** Limits all arguments together, below what systems accept. */
const MOST_BYTES = process.platform === "win32" ? 30_000 : 1024 * 1024;

/**
 * Marks a value for use in an argument of {@link commandHandler}: alone, or within a template. Throws `NotExecuted` for
 * anything but a string, a number or a boolean, for a NUL character and for half a surrogate pair.
 */
export function argument(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw new NotExecuted(
      value === undefined || value === null
        ? "a value of the command is missing; nothing was run"
        : "a value of the command is a list or an object, which is not one argument; nothing was run",
    );
  }
  const text = String(value);
  if (text.includes("\0")) {
    throw new NotExecuted("a value of the command contains a NUL character; nothing was run");
  }
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)) {
    throw new NotExecuted("a value of the command is not valid Unicode; nothing was run");
  }
  return MARK + text;
}

/**
 * Returns the arguments as the program gets them. Throws `NotExecuted` for a value that would be taken for an option,
 * and for arguments that no system accepts.
 */
export function wholeArguments(argv: readonly string[]): readonly [string, ...string[]] {
  if (argv.some((each) => typeof each !== "string")) {
    throw new NotExecuted("every argument of a command must be a string; nothing was run");
  }
  const { start, separator } = readCommandLine(argv);
  const [program, ...rest] = argv;
  if (program === undefined || program === "" || [program, argv[start]].some((each) => each?.includes(MARK))) {
    throw new NotExecuted("the program of a command must be written in its declaration, never come from a value");
  }
  const printed = rest.map((each, index) => {
    const text = each.replaceAll(MARK, "");
    const isOption = each.startsWith(MARK) && text.startsWith("-") && index + 1 < separator;
    if (isOption) {
      throw new NotExecuted(
        `the value ${JSON.stringify(text.slice(0, 80))} begins with "-", so ${argv[start] ?? program} could take it for an option; nothing was run`,
      );
    }
    return text;
  });
  const sizes = printed.map((each) => Buffer.byteLength(each) + 1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > MOST_BYTES || sizes.some((size) => size > MOST_BYTES_OF_ONE)) {
    throw new NotExecuted(`the arguments of ${program} are too long (${total} bytes); nothing was run`);
  }
  return [program, ...printed];
}
