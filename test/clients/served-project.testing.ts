import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bin, hasp } from "../cli/command-line.js";

/** A project on disk, built and approved, whose tools can be run. */
export interface ServedProject {
  readonly folder: string;
  write(path: string, text: string): void;
  remove(): void;
}

const spec = (name: string, extra: string): string => `hasp: 1
name: ${name}
description: >-
  Does ${name}. Use it in this test. Do not use it elsewhere.
input:
  type: object
  required: [id]
  properties: { id: { type: string, minLength: 1, maxLength: 100, description: Which one. }, times: { type: integer, default: 1, minimum: 1, maximum: 9, description: How often. } }
limits: { maxResultSizeChars: 20000 }
${extra}`;

const readOnly =
  "concurrency: { class: READ_ONLY }\nbehavior: { requiresPermission: false, isOpenWorld: false, interruptBehavior: cancel }\n";

/** The handler of a tool that writes one line. */
const logging = (tool: string, word: string): string => {
  const handler = `${tool.charAt(0).toUpperCase()}${tool.slice(1)}Handler`;
  return `import type { ${handler} } from "../generated/tools/${tool}.js";
export const execute: ${handler}["execute"] = (input, { context }) => {
  context.log("${word} " + input.id);
  return "${word}";
};
`;
};

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module", "private": true }',
  "hasp.config.yaml":
    "specs: [specs]\ncontext: ./src/context.ts#Context\ndialects: [mcp]\nserve: { instructions: Look before you note. }\ntoolsets: { readers: { include: [look, wait] } }\n",
  "specs/look.tool.yaml": spec(
    "look",
    `aliases: [peek]\noutput: { type: object, required: [seen], properties: { seen: { type: string } }, additionalProperties: false }\n${readOnly}`,
  ),
  "specs/wait.tool.yaml": spec("wait", readOnly),
  "specs/note.tool.yaml": spec(
    "note",
    "concurrency: { class: WRITE_EXCLUSIVE }\nbehavior: { isDestructive: false, isOpenWorld: false, interruptBehavior: block }\n",
  ),
  "specs/wipe.tool.yaml": spec("wipe", "behavior: { isOpenWorld: false, interruptBehavior: block }\n"),
  "src/context.ts": `import { appendFileSync } from "node:fs";
export interface Context { readonly log: (line: string) => void }
export async function createContext(_caller?: object): Promise<Context & AsyncDisposable> {
  const log = (line: string): void => appendFileSync("log.txt", line + "\\n");
  return { log, [Symbol.asyncDispose]: async () => log("closed") };
}
`,
  // Everything that a handler can do to a protocol on standard output.
  "src/tools/look.ts": `import { execFileSync } from "node:child_process";
import { writeSync } from "node:fs";
import type { LookHandler } from "../generated/tools/look.js";
console.log("at import");
export const execute: LookHandler["execute"] = async (input) => {
  console.log("by console");
  process.stdout.write("by the stream\\n");
  writeSync(1, "by the file\\n");
  execFileSync(process.execPath, ["-e", "console.log('by a child')"], { stdio: "inherit" });
  return { seen: input.id.repeat(input.times) };
};
`,
  // Waits a moment, or with the name of a file until that is there, or until it is told to stop.
  "src/tools/wait.ts": `import { existsSync } from "node:fs";
import type { WaitHandler } from "../generated/tools/wait.js";
export const execute: WaitHandler["execute"] = async (input, { signal, progress, context }) => {
  progress({ progress: 1, message: "waiting" });
  await new Promise<void>((resolve, reject) => {
    const timer = setInterval(() => (input.id === "short" || existsSync(input.id)) && (clearInterval(timer), resolve()), 10);
    signal.addEventListener("abort", () => { clearInterval(timer); context.log("aborted"); reject(new Error("aborted")); });
  });
  return "waited";
};
`,
  "src/tools/note.ts": logging("note", "noted"),
  "src/tools/wipe.ts": logging("wipe", "wiped"),
};

/** Writes the project, approves what it claims and builds it. */
export async function createServedProject(): Promise<ServedProject> {
  const folder = mkdtempSync(join(tmpdir(), "hasp-serve-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  for (const words of [["approve", "look", "wait", "note", "wipe", "--yes", "--reason", "a test"], ["build"]]) {
    const { code, out, error } = await hasp(folder, words);
    if (code !== 0) throw new Error(`hasp ${words.join(" ")} ended with ${code}:\n${out}\n${error}`);
  }
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export { bin };
