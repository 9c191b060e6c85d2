import { InvalidArgumentError } from "commander";

/** Takes the folder of a page from the command line; refuses an empty one, which would mean the project itself. */
export function pageFolder(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty; perhaps a variable is not set.");
  return text;
}
