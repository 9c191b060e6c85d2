import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const demo = fileURLToPath(new URL("../dist/demo.js", import.meta.url));

/** Runs the demo; `onText` is told all that it has printed so far. */
export function runDemo(
  args: readonly string[],
  onText: (text: string, interrupt: () => void) => void = () => undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [demo, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      onText(text, () => child.kill("SIGINT"));
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`the demo ended with ${String(code)}:\n${text}`)),
    );
  });
}
