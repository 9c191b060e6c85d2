import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { addConnection, type NewConnection } from "./add-connection.js";

const shop: NewConnection = { name: "shop", settings: { http: { baseUrl: "https://shop.example" } } };

function added(text: string | undefined, connection = shop, uri = "hasp.config.yaml"): string {
  const result = addConnection(uri, text, connection);
  if (result.kind !== "added") throw new Error(result.kind);
  return result.text;
}

const block = "  shop:\n    http:\n      baseUrl: https://shop.example\n";

test.each([
  ["no configuration", undefined, `connections:\n${block}`],
  ["an empty one", "", `connections:\n${block}`],
  ["comments only", "# nothing yet\n", `# nothing yet\nconnections:\n${block}`],
  [
    "other settings and comments",
    "# top\nspecs: [specs] # here\n\noutDir:   out",
    `# top\nspecs: [specs] # here\n\noutDir:   out\nconnections:\n${block}`,
  ],
  [
    "another connection",
    "connections: # all\n  # ours\n  db: { sql: { context: db } }\nspecs: [specs]\n",
    `connections: # all\n${block}  # ours\n  db: { sql: { context: db } }\nspecs: [specs]\n`,
  ],
  [
    "connections on one line",
    "connections: { db: { sql: { context: db } } } # db\n",
    'connections: { shop: { http: { baseUrl: "https://shop.example" } }, db: { sql: { context: db } } } # db\n',
  ],
  ["an empty section", "specs: [specs]\nconnections:\n", undefined],
])("a connection is added to %s", (_what, text, expected) => {
  const result = added(text);
  if (expected !== undefined) expect(result).toBe(expected);
  expect(parse(result).connections.shop).toEqual(shop.settings);
});

test("JSON keeps its layout", () => {
  expect(added('{\n    "outDir": "out"\n}\n', shop, "hasp.config.json")).toBe(
    '{\n    "outDir": "out",\n    "connections": {\n        "shop": {\n            "http": {\n                "baseUrl": "https://shop.example"\n            }\n        }\n    }\n}\n',
  );
});

test("a comment stands above it", () => {
  expect(added("", { ...shop, comments: ["Also possible: basic."] })).toBe(
    `connections:\n  # Also possible: basic.\n${block}`,
  );
});

test("a connection of the same name stays", () => {
  const text = "connections: { shop: { http: { baseUrl: https://mine.example } } }\n";
  expect(addConnection("hasp.config.yaml", text, shop)).toEqual({ kind: "present", isSame: false, isSameKind: true });
  const other = "connections: { shop: { sql: { context: db } } }\n";
  expect(addConnection("hasp.config.yaml", other, shop)).toMatchObject({ kind: "present", isSameKind: false });
  expect(addConnection("hasp.config.yaml", added(undefined), shop)).toEqual({
    kind: "present",
    isSame: true,
    isSameKind: true,
  });
});

test.each(["a: [\n", "- list\n", "connections: [x]\n", "x: &a 1\nx: 2\n"])("%j is refused", (text) => {
  expect(addConnection("hasp.config.yaml", text, shop)).toEqual({ kind: "refused" });
});

test("reads back any name and setting, and keeps all else", () => {
  const text = fc.string({ unit: "binary", maxLength: 12 });
  const base = fc.constantFrom("", "specs: [a]\n", "connections:\n    b: { sql: { context: db } } # b\n", "{}\n");
  fc.assert(
    fc.property(base, text, text, fc.array(text, { maxLength: 2 }), (config, name, value, list) => {
      const settings = { mcp: { command: [value, ...list] } };
      const result = addConnection("hasp.config.yaml", config, { name, settings });
      if (result.kind !== "added") return;
      const before = parse(config) ?? {};
      expect(parse(result.text)).toEqual({ ...before, connections: { ...before.connections, [name]: settings } });
    }),
  );
});
