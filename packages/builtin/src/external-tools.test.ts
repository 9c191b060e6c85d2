import { expect, test } from "vitest";
import { CompileCache, type SourceText } from "@hasp/compiler";
import { compile } from "../../../test/compiler/built-in.testing.js";

const named = (name: string): SourceText => ({
  uri: `specs/${name}.tool.yaml`,
  role: "spec",
  text: `hasp: 1\nname: ${name}\ndescription: Asks the person.\nhandler: external\ninput: { type: object, properties: {} }\n`,
});

test("a tool that somebody else executes is built the same from the cache of an earlier process", async () => {
  const first = new CompileCache();
  const build = async (cache: CompileCache, ...sources: readonly SourceText[]) => {
    const { diagnostics, files } = await compile(sources, {}, { cache });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return files.find(({ text }) => text.includes("chooseDateSpec ="))?.text;
  };
  const text = await build(first, named("choose_date"));
  expect(text).toContain("external: true");
  const saved = first.newSteps();
  // The second cache holds the resolved specs only, and computes the rest.
  const second = new CompileCache((key, title) =>
    title === "Resolving specs" ? saved.find((each) => each.key === key && each.title === title)?.step : undefined,
  );
  expect(await build(second, named("choose_date"), named("choose_time"))).toBe(text);
});
