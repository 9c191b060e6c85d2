import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unpackRecords } from "../cache/packed-records.js";
import { createRecordBook, type RecordBook } from "../cache/record-book.js";
import { compile, type CompileResult } from "../compile.js";
import { ownFile } from "../host/installation/own-package.js";
import { projectFiles } from "../host/project/project-files.js";
import { readProject } from "../host/project/read-project.js";
import type { SharedWork } from "./portions.js";
import { helpersFor, workAhead } from "./work-ahead.js";

const COUNT = 100;
/** The strict mode of one provider has room for so many tools; a portion takes none to be among them. */
const STRICT_TOOLS = 20;
const wanted = { emits: true, witnesses: true };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-ahead-"));
  mkdirSync(join(folder, "specs/common"), { recursive: true });
  writeFileSync(join(folder, "hasp.config.yaml"), "dialects: [anthropic, openai-responses, mcp]\n");
  writeFileSync(
    join(folder, "specs/common/places.yaml"),
    "$defs: { Place: { type: object, properties: { x: { type: number, minimum: 0 } }, required: [x] } }\n",
  );
  for (let number = 0; number < COUNT; number += 1) writeFileSync(specPath(number), specOf(number));
});
afterEach(() => rmSync(folder, { recursive: true }));

const specPath = (number: number): string => join(folder, `specs/tool-${number}.tool.yaml`);

function specOf(number: number, place = "./common/places.yaml#/$defs/Place"): string {
  return [
    "hasp: 1",
    `name: tool_${number}`,
    `description: Moves thing ${number} to a place. Use it when a thing is to be moved.`,
    `input: { type: object, properties: { place: { $ref: "${place}" }, note: { type: string, maxLength: ${number + 1} } } }`,
    "",
  ].join("\n");
}

interface Run {
  readonly result: CompileResult;
  /** What each file's record had when `compile` began, and when it was done: the names of its values. */
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly after: ReadonlyMap<string, readonly string[]>;
}

type WorkAhead = typeof workAhead;

const helpedBy =
  (helpers: number): WorkAhead =>
  async (work, files, records) =>
    workAhead(work, files, records, () => helpers);

async function run(ahead?: WorkAhead): Promise<Run> {
  const records = createRecordBook();
  const files = projectFiles(folder);
  const { sources, plan } = await readProject(folder, {
    files,
    records,
    unlocked: true,
    ...(ahead === undefined
      ? {}
      : { workAhead: async (specs, project) => ahead({ ...project, ...wanted, root: folder, specs }, files, records) }),
  });
  if (plan === undefined) throw new Error("the configuration has a plan");
  const before = valuesOf(records);
  return { before, result: await compile(sources, plan, wanted), after: valuesOf(records) };
}

function valuesOf(records: RecordBook): ReadonlyMap<string, readonly string[]> {
  const { main } = records.pack();
  return new Map(
    (main === undefined ? [] : unpackRecords(main)).map((record) => [
      record.key,
      record.values().map(({ name }) => name.replace(/ [\w-]{43}$/u, "")),
    ]),
  );
}

const seen = ({ files, diagnostics }: CompileResult): unknown => ({
  files: files.map(({ path, text }) => [path, text]),
  diagnostics,
});

test.each([0, 1, 3])("with %i helpers a project comes out as without", async (helpers) => {
  const [alone, helped] = [await run(), await run(helpedBy(helpers))];
  expect(alone.result.files.length).toBeGreaterThan(2 * COUNT);
  expect(seen(helped.result)).toEqual(seen(alone.result));
});

test("faults that show in the whole only are found", async () => {
  // Where the two are in different portions, neither sees that the other is a spec.
  writeFileSync(specPath(45), specOf(45, "./tool-1.tool.yaml#/input/properties/place"));
  writeFileSync(specPath(99), specOf(0));
  const [alone, helped] = [await run(), await run(helpedBy(1))];
  const codes = alone.result.diagnostics.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["resolve/ref-to-spec", "resolve/duplicate-name"]));
  expect(seen(helped.result)).toEqual(seen(alone.result));
});

test("what a helper did is not done again, but for the few tools that were guessed wrong", async () => {
  const { before, after } = await run(async (work, _files, records) => {
    // This one takes all portions.
    const worker = new Worker(ownFile("dist/workers/portion-worker.js"), {
      workerData: { ...work, taken: new Int32Array(new SharedArrayBuffer(4)) } satisfies SharedWork,
    });
    worker.on("message", ({ buffer }: Uint8Array<ArrayBuffer>) => records.add(Buffer.from(buffer)));
    await once(worker, "exit");
    return new Map();
  });
  const specs = [...after].filter(([key]) => key.includes(".tool.yaml"));
  expect(specs.filter(([, names]) => names.includes("parts "))).toHaveLength(COUNT);
  const isDoneAgain = ([key, names]: readonly [string, readonly string[]]): boolean =>
    names.join() !== (before.get(key) ?? []).join();
  // One tool declares the shared type.
  expect(specs.filter(isDoneAgain).length).toBeLessThanOrEqual(STRICT_TOOLS + 1);
});

test("a helper that fails costs time and nothing else", async () => {
  const [alone, failed] = [
    await run(),
    await run(async (work, files, records) =>
      workAhead({ ...work, root: join(folder, "nowhere") }, files, records, () => 1),
    ),
  ];
  expect(seen(failed.result)).toEqual(seen(alone.result));
});

test("where no helper can be had, the work is done without", async () => {
  // A function cannot go into a thread; like a process that may start none, that shows before there is one.
  const remotes = new Map([["https://schemas.example/", (() => undefined) as unknown as string]]);
  const [alone, failed] = [
    await run(),
    await run(async (work, files, records) => workAhead({ ...work, remotes }, files, records, () => 1)),
  ];
  expect(seen(failed.result)).toEqual(seen(alone.result));
});

test("few specs are worth no helper", () => {
  expect(helpersFor(399)).toBe(0);
  expect(helpersFor(100_000)).toBeLessThanOrEqual(3);
});
