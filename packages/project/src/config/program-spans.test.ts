import { describe, expect, test } from "vitest";
import { findSpansInProgram } from "./program-spans.js";

/** Returns the program's own text at a pointer. */
function written(text: string, pointer: string, part: "key" | "value" = "value"): string {
  const found = findSpansInProgram(text).find(pointer);
  const { start, end } = part === "key" && found.key !== undefined ? found.key : found.value;
  return text.slice(start, end);
}

const OBJECT = `{
  // rules: { a: "off" }
  specs: ["a", \`b\${"}"}\`], "rules": { 'naming/vague-name': "off", other: severity() },
  toolsets: { all: {} } as const,
  nested: shared,
}`;

describe("the places of a program's configuration", () => {
  test.each([
    ["as an object", `export default ${OBJECT};`],
    ["in a call", `import { defineConfig } from "hasp";\nexport default defineConfig(${OBJECT});`],
    [
      "in a constant",
      `const config: { a: 1 } = ${OBJECT} satisfies X;\n/* export default {} */\nexport default config;`,
    ],
    [
      "in a constant that a call is given",
      `const shared = {};\nlet config = ${OBJECT}\nexport default defineConfig(config)`,
    ],
  ])("places are found in %s", (_what, text) => {
    expect(written(text, "")).toBe(OBJECT);
    expect(written(text, "/specs/1")).toBe('`b${"}"}`');
    expect(written(text, "/rules/naming~1vague-name", "key")).toBe("'naming/vague-name'");
    expect(written(text, "/rules/other")).toBe("severity()");
    expect(written(text, "/toolsets/all")).toBe("{}");
    expect(written(text, "/nested/deep")).toBe("shared");
  });

  test("behind a spread, the place of what holds it", () => {
    const text = `export default { ...base, ignore: [...more, { rule: "a" }], rules, specs() {} };`;
    expect(written(text, "/ignore/1/rule")).toBe('[...more, { rule: "a" }]');
    expect(written(text, "/rules/x")).toBe("rules");
    expect(written(text, "/outDir")).toBe(text.slice(15, -1));
  });

  test.each([
    "",
    "export default",
    "export default x",
    "const x = x; export default x",
    "export default { a: [1, ",
    "export default (((",
    "module.exports = {}",
  ])("%j has some place and no exception", (text) => {
    expect(findSpansInProgram(text).find("/a/0").value.start).toBeLessThanOrEqual(text.length);
  });
});
