// The programs of the guides about approvals, killed with SIGKILL at three moments: when the question is stored, but nothing
// of it is saved by the program; right after the effect; and when the result is stored, but not yet saved. Another process
// answers. One row per loop.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { openTurns } from "../durable/open-turns.testing.js";
import { fileCallStore } from "@hasp/stores/files";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabases } from "../ask-for.testing.js";
import { startHasp } from "../cli/command-line.js";
import { openAnthropicApi } from "../clients/anthropic-api.testing.js";
import type { LoopbackApi } from "../clients/loopback.testing.js";
import { installMastra } from "../clients/mastra-package.testing.js";
import { openOpenAiApi } from "../clients/openai-api.testing.js";
import { createFolder, type GuideFolder } from "./guide-folder.js";
import { blocksOf } from "./guide.js";

const docs = resolve(import.meta.dirname, "../../packages/hasp/docs/guides");
const modules = resolve(import.meta.dirname, "../node_modules");
const call = { id: "call_1", name: "refund_order" };

/**
 * The surroundings of a loop's program: settings of its processes, and the requests of an API in for the provider's.
 */
interface World {
  readonly env?: NodeJS.ProcessEnv;
  readonly requests?: LoopbackApi["requests"];
}

interface Loop {
  readonly page: "approvals-that-last.md" | "mastra.md";
  readonly program: string;
  /** Takes the place of the package `ai`. */
  readonly ai?: string;
  readonly world?: () => Promise<World>;
}

const last = "approvals-that-last.md";
const LOOPS: Readonly<Record<string, Loop>> = {
  "AI SDK 6": { page: last, program: "ai-sdk" },
  "AI SDK 7": { page: last, program: "ai-sdk", ai: "ai-newest" },
  "OpenAI Agents": { page: last, program: "openai-agents" },
  LangGraph: {
    page: last,
    program: "langgraph",
    async world() {
      const server = await createDatabases();
      return { env: { DATABASE_URL: server.urls.application } };
    },
  },
  Anthropic: {
    page: last,
    program: "anthropic",
    async world() {
      const api = await openAnthropicApi([[{ type: "tool_use", ...call, input: { orderId: "o17" } }]]);
      return { env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "none" }, requests: api.requests };
    },
  },
  OpenAI: {
    page: last,
    program: "openai",
    async world() {
      const api = await openOpenAiApi([[{ ...call, arguments: '{"orderId":"o17"}' }]]);
      return { env: { OPENAI_BASE_URL: `${api.url}/v1`, OPENAI_API_KEY: "none" }, requests: api.requests };
    },
  },
  Mastra: { page: "mastra.md", program: "mastra" },
};

const mastra = installMastra();
const made: GuideFolder[] = [];
/** The project of each page, built. */
const projects = new Map<string, GuideFolder>();

beforeAll(() => {
  for (const page of new Set(Object.values(LOOPS).map((loop) => loop.page))) {
    const others = page === "mastra.md" ? [join(mastra ?? "", "node_modules/@mastra")] : [];
    projects.set(page, createProject(page, others));
  }
});
afterAll(() => {
  for (const folder of made) folder.remove();
});

function createProject(page: string, others: readonly string[]): GuideFolder {
  const folder = createFolder(others);
  made.push(folder);
  for (const { path, text } of blocksOf(readFileSync(join(docs, page), "utf8"))) {
    if (path !== "") folder.write(path, text);
  }
  expect(startHasp(folder.root, ["build"]).code).toBe(0);
  // `guides.slow.test.ts` checks their types.
  const { outputFiles } = buildSync({
    entryPoints: [join(folder.root, "src/**/*.ts")],
    outdir: join(folder.root, "dist"),
    format: "esm",
    platform: "node",
    logLevel: "error",
    write: false,
  });
  const header = `import { deadly } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "deadly-store.js")).href)};\n`;
  for (const { path, text } of outputFiles) {
    const dies = text.replace('fileCallStore("calls")', 'deadly(fileCallStore("calls"))');
    folder.write(relative(folder.root, path), dies === text ? text : header + dies);
  }
  return folder;
}

/** The same project with another package in the place of `ai`. */
function withPackage(project: GuideFolder, ai: string): GuideFolder {
  const folder = createFolder();
  made.push(folder);
  cpSync(join(project.root, "dist"), join(folder.root, "dist"), { recursive: true });
  rmSync(join(folder.root, "node_modules/ai"));
  symlinkSync(join(modules, ai), join(folder.root, "node_modules/ai"));
  return folder;
}

/** A program that can be started again and again in a folder of its own. */
function programOf({ page, program, ai }: Loop, env: NodeJS.ProcessEnv) {
  const project = projects.get(page) as GuideFolder;
  const { root } = ai === undefined ? project : withPackage(project, ai);
  const cwd = join(root, "runs", `${program} ${ai ?? ""}`);
  mkdirSync(cwd, { recursive: true });
  const store = fileCallStore(join(cwd, "calls"));
  return {
    store,
    async run(more: NodeJS.ProcessEnv = {}) {
      const child = spawn(process.execPath, [join(root, "dist", `${program}.js`)], {
        cwd,
        env: { ...process.env, ...env, ...more },
        timeout: 60_000,
      });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
      const [code, signal] = await once(child, "close");
      return { said, how: (signal ?? code) as unknown };
    },
    refunds: () => (existsSync(join(cwd, "refunds.txt")) ? readFileSync(join(cwd, "refunds.txt"), "utf8") : ""),
  };
}

describe.each(Object.entries(LOOPS))("%s", (_name, loop) => {
  test.skipIf(loop.page === "mastra.md" && mastra === undefined)(
    "asks once and has its effect once, though it is killed three times",
    async () => {
      const { env = {}, requests } = (await loop.world?.()) ?? {};
      const { store, run, refunds } = programOf(loop, env);

      expect((await run({ KILL_AT: "asked" })).how).toBe("SIGKILL");
      expect(await run()).toEqual({ said: "A person is asked.\n", how: 0 });

      const [question, ...others] = await store.questions({ isOpen: true });
      expect([question?.toolName, others, refunds()]).toEqual(["refund_order", [], ""]);
      const person = openTurns({ tools: [] }, { store });
      expect(await person.answer(question?.id ?? "", { decision: "allow", by: "ada" })).toEqual({ accepted: true });

      expect((await run({ CRASH: "1" })).how).toBe("SIGKILL");
      expect((await run({ KILL_AT: "settled" })).how).toBe("SIGKILL");
      const { said, how } = await run();
      expect([how, requests === undefined ? said : JSON.stringify(requests.at(-1))]).toEqual([
        0,
        expect.stringContaining("Do not repeat this call before you have checked whether it took effect"),
      ]);
      expect(refunds()).toBe("o17\n");
      const records = await store.records({});
      expect(records.filter(({ from, to }) => from !== to).map(({ to }) => to)).toEqual([
        "proposed",
        "asked",
        "allowed",
        "reserved",
        "settled",
      ]);
      expect(records.at(-1)).toMatchObject({ code: "process-lost", effect: "unknown" });
    },
  );
});
