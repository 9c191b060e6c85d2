// The first hour of somebody with an agent on the AI SDK, from the install to a call that a person allows. It installs from
// npm's registry, or from what npm and pnpm keep of it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDocumentedTsconfig } from "../documented-tsconfig.js";
import { packages } from "../from-nothing/packed.testing.js";
import { runProgram } from "./outside-folder.testing.js";

const { dependencies: ours } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const own = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

const FILES: Readonly<Record<string, string>> = {
  "tsconfig.json": readDocumentedTsconfig(),
  "src/schemas.ts": `import { z } from "zod";

export const bookTrip = {
  description: "Book one trip. Use it when the day and the way to travel are known. Do not use it to change a booking.",
  inputSchema: z.object({
    day: z.iso.date().describe("Day of the trip."),
    by: z
      .discriminatedUnion("kind", [
        z.object({ kind: z.literal("train"), seat: z.enum(["aisle", "window"]).describe("Which seat.") }),
        z.object({ kind: z.literal("plane"), bags: z.int().min(0).max(3).default(1).describe("How many bags.") }),
      ])
      .describe("How to travel."),
    labels: z.record(z.string(), z.string()).optional().describe("Labels of the booking."),
  }),
};
`,
  "src/tools/book-trip.ts": `import type { BookTripHandler } from "../generated/tools/book-trip.js";

export const execute: BookTripHandler["execute"] = ({ day, by, labels = {} }) => {
  const seat: string = by.kind === "train" ? by.seat : \`\${by.bags} bags\`;
  return { booked: \`\${day} by \${by.kind}, \${seat}\`, labels: Object.keys(labels) };
};
`,
  "src/agent.ts": `import { createDispatcher } from "@hasp/runtime";
import { toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { registry } from "./generated/registry.js";

const dispatcher = createDispatcher({
  tools: registry,
  permissions: {
    ask: ({ toolName, input }) => {
      console.log("May", toolName, "run with", JSON.stringify(input));
      return "allow";
    },
  },
});

const calls = [
  { day: "1 May", by: { kind: "train", bags: 1 } },
  { day: "2026-05-01", by: { kind: "plane" }, labels: { team: "sales" } },
];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
let step = 0;
const model = new MockLanguageModelV3({
  doGenerate: async () => {
    const call = calls[step++];
    return call === undefined
      ? { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: "" }, usage, warnings: [] }
      : {
          content: [{ type: "tool-call", toolCallId: String(step), toolName: "bookTrip", input: JSON.stringify(call) }],
          finishReason: { unified: "tool-calls", raw: "" },
          usage,
          warnings: [],
        };
  },
});

const { steps, text } = await generateText({
  model,
  prompt: "Book a trip for the first of May.",
  tools: toAiSdkTools(dispatcher),
  stopWhen: stepCountIs(5),
});
for (const { toolResults } of steps) for (const { output } of toolResults) console.log(JSON.stringify(output));
console.log(text);
`,
};

const ANSWERS = [
  /^\{"isError":true.*\/day.*\/by\/seat/mu,
  /^May bookTrip run with \{"day":"2026-05-01","by":\{"kind":"plane","bags":1\},"labels":\{"team":"sales"\}\}$/mu,
  /"output":\{"booked":"2026-05-01 by plane, 1 bags","labels":\["team"\]\}/u,
  /^Done\.$/mu,
];

const MANAGERS = {
  npm: { install: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"], run: ["npx", "--no-install"] },
  pnpm: {
    install: ["npx", "--yes", "pnpm@12.21.0", "install", "--prefer-offline", "--no-frozen-lockfile"],
    run: ["npx", "--yes", "pnpm@12.21.0", "exec"],
  },
} as const;

/** True if the registry answers. */
function isReachable(): boolean {
  try {
    execFileSync("npm", ["ping"], { stdio: "ignore", timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!isReachable()).each(Object.entries(MANAGERS))(
  "an agent on the AI SDK comes from an install by %s to a call that a person allows (skipped without a registry)",
  { timeout: 240_000 },
  async (_name, { install, run }) => {
    const folder = mkdtempSync(join(tmpdir(), "hasp-agent-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    const follow = async ([program = "", ...words]: readonly string[]): Promise<string> => {
      const { code, out } = await runProgram(folder, program, words);
      expect(code, [program, ...words, out].join(" ")).toBe(0);
      return out;
    };
    const all = Object.entries(await packages()).map(([name, { tarball }]): readonly [string, string] => [
      name === "hasp" ? name : `@hasp/${name}`,
      `file:${tarball}`,
    ]);
    const dependencies = { ...Object.fromEntries(all), ai: ours["ai"], zod: ours["zod"] };
    const devDependencies = { typescript: ours["typescript"], "@types/node": own.devDependencies["@types/node"] };
    write(
      "package.json",
      JSON.stringify({ name: "agent", private: true, type: "module", dependencies, devDependencies }),
    );
    write("pnpm-workspace.yaml", `overrides: ${JSON.stringify(Object.fromEntries(all))}\n`);
    await follow(install);
    await follow([...run, "hasp", "init"]);
    const { "src/schemas.ts": schemas = "", ...rest } = FILES;
    write("src/schemas.ts", schemas);
    expect(await follow([...run, "hasp", "import", "zod", "src/schemas.ts"])).toContain("1 of 1 tool imported");
    for (const [path, text] of Object.entries(rest)) write(path, text);
    await follow([...run, "hasp", "build"]);
    await follow([...run, "tsc"]);
    const answers = await follow([process.execPath, "dist/agent.js"]);
    for (const answer of ANSWERS) expect(answers).toMatch(answer);
    await follow([...run, "hasp", "build", "--check"]);
  },
);
