import { describe, expect, test } from "vitest";
import type { FileStamps } from "../host/fs/file-stamps.js";
import type { ExchangeKind, ProjectFiles } from "../host/project/project-files.js";
import type { SourceText } from "../model/document.js";
import { askAgain, logged } from "./question-log.js";

/** A world of a few answers, and what it was asked. */
function world(answers: Readonly<Record<string, unknown>>): {
  readonly files: ProjectFiles;
  readonly asked: ExchangeKind[];
} {
  const asked: ExchangeKind[] = [];
  const files = {
    ask: async (kind: ExchangeKind, question: unknown) => {
      asked.push(kind);
      return answers[`${kind} ${JSON.stringify(question)}`];
    },
  };
  return { files: files as ProjectFiles, asked };
}

const spec = (text: string): SourceText => ({ uri: "a.tool.yaml", role: "spec", text });
const question = { uri: "a.tool.yaml", role: "spec" } as const;
const remote = { address: "https://example.com/x.json", sha256: "00" };
const key = (kind: ExchangeKind, asked: unknown): string => `${kind} ${JSON.stringify(asked)}`;

async function logOf(answers: Readonly<Record<string, unknown>>): Promise<ReturnType<typeof logged>> {
  const files = logged(world(answers).files);
  await files.ask("text", question);
  await files.ask("today", null);
  return files;
}

describe("questions that are asked again", () => {
  const answers = { [key("text", question)]: spec("hasp: 1\n"), [key("today", null)]: "2026-01-01" };

  test("with the same answers, give the texts", async () => {
    const same = await askAgain(await logOf(answers), world(answers).files);
    expect([...(same?.texts ?? [])]).toEqual([["a.tool.yaml", "hasp: 1\n"]]);
  });

  test.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["another text", { [key("text", question)]: spec("hasp: 2\n") }],
    ["no file any more", { [key("text", question)]: undefined }],
    ["a file that cannot be read", { [key("text", question)]: { ...spec("hasp: 1\n"), unreadable: "it is a folder" } }],
    ["another day", { [key("today", null)]: "2026-01-02" }],
  ])("give nothing: %s", async (_name, other) => {
    expect(await askAgain(await logOf(answers), world({ ...answers, ...other }).files)).toBeUndefined();
  });

  test("do not read a file whose stamp is still the same, and read any other", async () => {
    const stamps = (stamp: string | undefined): FileStamps => ({
      of: () => stamp,
      isUnchanged: (_path, known) => known !== undefined && known === stamp,
    });
    const files = logged(world(answers).files, stamps("1"));
    await files.ask("text", question);
    const unchanged = world({});
    expect(await askAgain(files, unchanged.files, stamps("1"))).toMatchObject({
      unread: ["a.tool.yaml"],
      hasNewStamps: false,
      log: files.log,
    });
    expect(unchanged.asked).toEqual([]);

    const touched = world(answers);
    const again = await askAgain(files, touched.files, stamps("2"));
    expect(again).toMatchObject({ unread: [], hasNewStamps: true, log: [{ stamp: "2" }] });
    expect(touched.asked).toEqual(["text"]);
    expect(await askAgain(files, world({}).files, stamps("2"))).toBeUndefined();

    // Whoever brings no stamps compares contents.
    const compared = world(answers);
    expect(await askAgain(files, compared.files)).toMatchObject({ unread: [], hasNewStamps: false });
    expect(compared.asked).toEqual(["text"]);
  });

  test("leave out the network, whose answer is pinned; one that did not come may come next time", async () => {
    const there = logged(world({ [key("remote", remote)]: { uri: remote.address, role: "shared", text: "{}" } }).files);
    await there.ask("remote", remote);
    expect(there.isRepeatable()).toBe(true);
    const { files, asked } = world({});
    expect([...((await askAgain(there, files))?.texts ?? [])]).toEqual([[remote.address, "{}"]]);
    expect(asked).toEqual([]);

    const down = logged(
      world({ [key("remote", remote)]: { uri: remote.address, role: "shared", text: "", unreadable: "no answer" } })
        .files,
    );
    await down.ask("remote", remote);
    expect(down.isRepeatable()).toBe(false);
  });
});
