import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NotExecuted } from "@hasp/runtime";
import { writeBody, base64 } from "./body.js";
import { writeHeaders } from "./headers.js";
import type { HttpBody, ParameterStyle } from "./http-request.js";
import { fillPath, parsePath, writeCookies, writeQuery } from "./target.js";

/** Any text that UTF-8 can encode. */
const anyText = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => Buffer.from(text).toString() === text);
const hostile = fc.constantFrom(
  "&a=b",
  "=",
  "?",
  "#",
  "a b",
  "a+b",
  "%26",
  "%",
  ",",
  "|",
  ";",
  "..",
  "\r\nX: 1",
  "é",
  "😀",
  "[]",
  "'\"",
);
const text = fc.oneof(
  anyText,
  hostile,
  fc.tuple(anyText, hostile).map((parts) => parts.join("")),
);
const primitive = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const name = fc.oneof(
  fc.stringMatching(/^[a-z]{1,6}$/u),
  fc.constantFrom("a[b]", "$top", "x-y", "ü", "__proto__", "toString"),
);
const list = fc.array(primitive, { minLength: 1, maxLength: 5 });
const object = fc.uniqueArray(fc.tuple(name, primitive), { minLength: 1, maxLength: 5, selector: ([key]) => key });
const toObject = (entries: readonly (readonly [string, unknown])[]): object => Object.fromEntries(entries);
const texts = (values: readonly unknown[]): readonly string[] => values.map(String);
const own = <Value>(key: string, value: Value): { readonly [key: string]: Value } => Object.fromEntries([[key, value]]);

describe("a query says the same to a parser that knows nothing of how it was written", () => {
  const parsed = (values: object, styles: { [name: string]: ParameterStyle } = {}): [string, string][] => {
    const url = new URL(`http://x.test/?${writeQuery(values as never, styles)}`);
    expect(url.hash).toBe("");
    return [...url.searchParams];
  };

  test("another parser reads primitives and lists from a query, each name on its own", () => {
    fc.assert(
      fc.property(name, primitive, list, (key, value, items) => {
        expect(parsed(own(key, value))).toEqual([[key, String(value)]]);
        expect(parsed(own(key, items))).toEqual(texts(items).map((item) => [key, item]));
        const styles = own(key, { allowReserved: true });
        expect(parsed(own(key, items), styles)).toEqual(texts(items).map((item) => [key, item]));
        const json = own(key, { contentType: "application/json" });
        expect(JSON.parse(parsed(own(key, items), json)[0]?.[1] ?? "")).toEqual(JSON.parse(JSON.stringify(items)));
      }),
    );
  });

  test("another parser divides and then decodes lists and objects in one value", () => {
    fc.assert(
      fc.property(list, object, (items, entries) => {
        const parts = (values: object, style: ParameterStyle, delimiter: string): string[] =>
          (writeQuery(values as never, { k: style }).split("=")[1] ?? "").split(delimiter).map(decodeURIComponent);
        const value = toObject(entries);
        const flat = texts(Object.entries(value).flat());
        expect(parts({ k: items }, { explode: false }, ",")).toEqual(texts(items));
        expect(parts({ k: value }, { explode: false }, ",")).toEqual(flat);
        const clean = (delimiter: string, list: readonly string[]): readonly string[] =>
          list.filter((item) => !item.includes(delimiter));
        for (const [style, delimiter] of [
          ["spaceDelimited", " "],
          ["pipeDelimited", "|"],
        ] as const) {
          const some = ["a", ...clean(delimiter, texts(items))];
          expect(parsed({ k: some }, { k: { style } })).toEqual([["k", some.join(delimiter)]]);
        }
      }),
    );
  });

  test("another parser reads objects from a query", () => {
    fc.assert(
      fc.property(object, list, (entries, items) => {
        const value = toObject(entries);
        const pairs = Object.entries(value).map(([key, item]) => [key, String(item)]);
        expect(parsed({ k: value })).toEqual(pairs);
        expect(parsed({ k: value }, { k: { style: "deepObject" } })).toEqual(
          pairs.map(([key, item]) => [`k[${key}]`, item]),
        );
        const deep = { k: { inner: { list: items } } };
        expect(parsed(deep, { k: { style: "deepObject" } })).toEqual(
          texts(items).map((item, index) => [`k[inner][list][${index}]`, item]),
        );
      }),
    );
  });

  test("a query without values is empty", () => {
    expect(writeQuery({ a: undefined, b: null, c: [], d: {} })).toBe("");
  });
});

test("other parsers read the same values from a form and a cookie", () => {
  fc.assert(
    fc.property(name, primitive, list, object, (key, value, items, entries) => {
      const form = { form: { ...own(key, value), list: items, nested: toObject(entries) } };
      const body = writeBody(form);
      expect(body?.mediaType).toBe("application/x-www-form-urlencoded");
      const parsed = new URLSearchParams(Buffer.from(body?.bytes ?? []).toString());
      if (key !== "list" && key !== "nested") expect(parsed.get(key)).toBe(String(value));
      expect(parsed.getAll("list").slice(-items.length)).toEqual(texts(items));
      expect(JSON.parse(parsed.getAll("nested").at(-1) ?? "")).toEqual(JSON.parse(JSON.stringify(toObject(entries))));
      const cookies = writeCookies(own(key, items)).split("; ");
      expect(cookies.map((pair) => pair.split("=").map(decodeURIComponent))).toEqual(
        texts(items).map((item) => [key, item]),
      );
    }),
  );
});

describe("multipart, read by the platform's own parser", () => {
  const parse = async (body: HttpBody): Promise<FormData> => {
    const written = writeBody(body);
    if (written === undefined) throw new Error("there is no body");
    return new Response(Buffer.from(written.bytes), { headers: { "content-type": written.mediaType } }).formData();
  };

  test("the platform's parser reads the same names, values, files and bytes from multipart", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z"é ]{1,6}$/u),
        text.filter((value) => !/[\r\n]/u.test(value)),
        fc.uint8Array({ maxLength: 50 }),
        fc.stringMatching(/^[a-z".é\r\n]{1,8}$/u),
        async (key, value, bytes, filename) => {
          const file = { base64: Buffer.from(bytes).toString("base64"), filename, mediaType: "image/png" };
          const form = await parse({ multipart: own(key, [value, file]) });
          const [first, second] = form.getAll(key.replaceAll('"', '"'));
          expect(first).toBe(value);
          expect(second).toBeInstanceOf(File);
          const sent = second as File;
          expect([sent.name, sent.type]).toEqual([filename, "image/png"]);
          expect(Buffer.from(await sent.arrayBuffer())).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("multipart writes objects as JSON, without a file name, and lists as several parts", () => {
    const written = writeBody({
      multipart: { a: { b: 1 }, c: [1, 2], d: undefined, e: { text: "hi" }, f: 5 },
      encoding: { f: { contentType: "text/x" } },
    });
    const lines = Buffer.from(written?.bytes ?? [])
      .toString()
      .split("\r\n")
      .filter((line) => line !== "" && !line.startsWith("--"));
    expect(lines).toEqual([
      'Content-Disposition: form-data; name="a"',
      "Content-Type: application/json",
      '{"b":1}',
      'Content-Disposition: form-data; name="c"',
      "1",
      'Content-Disposition: form-data; name="c"',
      "2",
      'Content-Disposition: form-data; name="e"; filename="e"',
      "Content-Type: text/plain; charset=utf-8",
      "hi",
      'Content-Disposition: form-data; name="f"',
      "Content-Type: text/x",
      "5",
    ]);
  });

  test("multipart refuses a type that would begin another header", () => {
    const file = { text: "a", mediaType: "text/plain\r\nX-Evil: 1" };
    expect(() => writeBody({ multipart: { file } })).toThrow(NotExecuted);
  });
});

/** Decodes each escape separately into bytes. */
const bytesOf = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replaceAll(/%([0-9a-f]{2})/giu, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The path decoders of servers: strict or escape by escape, with different results for bytes that are not UTF-8. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  },
  (text) => Buffer.from(bytesOf(text), "latin1").toString("utf8"),
  (text) => Buffer.from(bytesOf(text), "latin1").toString("utf8").replaceAll("\uFFFD", ""),
  // Decoders that accept overlong forms of ASCII characters.
  (text) =>
    bytesOf(text).replaceAll(/([\xc0\xc1])([\x80-\xbf])/gu, (_overlong, high: string, low: string) =>
      String.fromCharCode(((high.charCodeAt(0) & 1) << 6) | (low.charCodeAt(0) & 63)),
    ),
  (text) =>
    text.replaceAll(/%u([0-9a-f]{4})/giu, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
];

/** Escapes with a meaning, and malformed ones, encoded once or twice more. */
const escapes = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "..",
        ".",
        "/",
        "\\",
        "\r\n",
        "%2e",
        "%2f",
        "%5c",
        "%0d%0a",
        "%ff",
        "%c0%af",
        "%c0%ae",
        "%e0%80%af",
        "%",
        "%2",
        "%zz",
        "%u002f",
        "a",
        "é",
        ";",
      ),
      fc.nat(2),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) =>
    parts
      .map(([part, times]) =>
        Array(times)
          .fill(0)
          .reduce<string>((encoded) => encodeURIComponent(encoded), part),
      )
      .join(""),
  );

describe("a path", () => {
  const values = fc.constantFrom(
    "..",
    ".",
    "",
    "../admin",
    "a/../b",
    "a/..",
    "..\\x",
    "%2e%2e",
    "%2e%2e%2fadmin",
    "%252e%252e%252fadmin",
    "a//b",
    "/a",
    "a/",
    "..;x",
    "..;/admin",
    "a\0b",
    "a\nb",
    "?a=1",
    "#x",
    "a/b",
    "a b",
    "é",
    "%",
    "{x}",
    "a.b",
    "...",
  );

  test("a path keeps its shape with any value, even for a server that decodes it twice", () => {
    fc.assert(
      fc.property(fc.oneof(values, text, escapes), fc.oneof(values, text, escapes), (one, other) => {
        const template = parsePath("/v1/{one}/x-{other}/end");
        let path: string;
        try {
          path = fillPath(template, { one, other });
        } catch (error) {
          expect(error).toBeInstanceOf(NotExecuted);
          return;
        }
        const url = new URL(`http://x.test${path}`);
        expect([url.pathname, url.search, url.hash]).toEqual([path, "", ""]);
        const segments = path.split("/");
        expect(segments.map(decodeURIComponent)).toEqual(["", "v1", one, `x-${other}`, "end"]);
        for (const decode of DECODERS) {
          for (let read = path, times = 0; times < 3; times += 1) {
            read = decode(read);
            expect(read).not.toMatch(/[\0-\u001f\u007f]/u);
            // When resolved, it still points below the same folder, with something in the place of each value.
            const { pathname } = new URL(`http://x.test${read.replaceAll(/[?#]/gu, "_").replaceAll(/[/\\]+/gu, "/")}`);
            expect(pathname).toMatch(/^\/v1\/.+\/x-.*\/end$/u);
          }
        }
      }),
    );
  });

  test.each([
    "..",
    ".",
    "",
    "../admin",
    "a/..",
    "..\\x",
    "%2e%2e",
    "%2e%2e%2fadmin",
    "%252e%252e",
    "/",
    "\\/",
    "%2f%252f",
    "..%2f..%2fadmin%2f%ff",
    "%2e%2e%2f%2e%2e%2fadmin%",
    "..%5c..%5cadmin%c0",
    "x%0d%0aHost: evil%ff",
    "x%0d%0a",
    "..%c0%afadmin",
    "%c0%ae%c0%ae/admin",
    "..%25c0%25afadmin",
    "..%u002fadmin",
    ".%ff.",
    "..;x",
    "a\0b",
    "\ud800",
    `a%${"25".repeat(20)}41`,
  ])("a path refuses %j", (value) => {
    expect(() => fillPath(parsePath("/a/{x}"), { x: value })).toThrow(NotExecuted);
  });

  test.each(["http://a/b", "x/", "/a", "a//b", "50%", "100%zz", "%41"])(
    "a path with the value %j has one segment for it",
    (value) => {
      const path = fillPath(parsePath("/a/{x}"), { x: value });
      expect(path.split("/").map(decodeURIComponent)).toEqual(["", "a", value]);
    },
  );

  test("a path does not begin with two slashes", () => {
    expect(() => fillPath(parsePath("/{x}"), { x: "/evil.example" })).toThrow(NotExecuted);
  });

  const object = { r: 100, g: 200 };
  test.each<[ParameterStyle, unknown, string]>([
    [{}, ["b", "c"], "b,c"],
    [{}, object, "r,100,g,200"],
    [{ explode: true }, object, "r=100,g=200"],
    [{ style: "label" }, "b", ".b"],
    [{ style: "label" }, ["b", "c"], ".b,c"],
    [{ style: "label", explode: true }, ["b", "c"], ".b.c"],
    [{ style: "label", explode: true }, object, ".r=100.g=200"],
    [{ style: "matrix" }, "b", ";x=b"],
    [{ style: "matrix" }, ["b", "c"], ";x=b,c"],
    [{ style: "matrix", explode: true }, ["b", "c"], ";x=b;x=c"],
    [{ style: "matrix" }, object, ";x=r,100,g,200"],
    [{ style: "matrix", explode: true }, object, ";r=100;g=200"],
    [{ contentType: "application/json" }, { a: "/" }, "%7B%22a%22%3A%22%2F%22%7D"],
  ])("writes a path as in OpenAPI's table: %j of %j", (style, value, expected) => {
    expect(fillPath(parsePath("/a/{x}"), { x: value }, { x: style })).toBe(`/a/${expected}`);
  });

  test("a path keeps the author's text, encoded", () => {
    expect(fillPath(parsePath("/a b/%2Fc/"))).toBe("/a%20b/%2Fc/");
    expect(() => fillPath(parsePath("/{x}"), { x: undefined })).toThrow(/needs a value for "x"/u);
  });
});

describe("headers", () => {
  test.each(["a\r\nX-Evil: 1", "a\nb", "a\0b", "€", "a\u007fb"])("headers refuse the value %j", (value) => {
    expect(() => writeHeaders({ "X-A": value })).toThrow(NotExecuted);
    expect(() => writeHeaders({ "X-A": ["ok", value] })).toThrow(NotExecuted);
  });
  test.each(["X A", "X:A", "", "X\r\nB", "Host", "Content-Length", "transfer-encoding", "Cookie"])(
    "headers refuse the name %j",
    (key) => {
      expect(() => writeHeaders(own(key, "a"))).toThrow(NotExecuted);
    },
  );
  test("headers have the style `simple`", () => {
    const styles = { "X-C": { explode: true } };
    const values = { "X-A": [1, "b"], "X-B": { r: 1, g: 2 }, "X-C": { r: 1, g: 2 }, "X-D": true, "X-E": undefined };
    expect(writeHeaders(values, styles)).toEqual({ "x-a": "1,b", "x-b": "r,1,g,2", "x-c": "r=1,g=2", "x-d": "true" });
    expect(() => writeHeaders({ "X-A": ["a,b"] })).toThrow(/separates the items/u);
  });
});

test.each<[string, object, string?]>([
  ["a parameter that has no value", { customer: undefined, filter: { customer: "you" } }],
  ["a part of a parameter", { customer: "me", filter: { "customer[]": "you" } }],
  ["a parameter in other letters", { customer: "me", filter: { " Customer": "you" } }],
  ["the method", { filter: { _method: "DELETE" } }, "method"],
  ["the method in another form", { filter: { ".Method": "DELETE" } }, "method"],
  ["the method by the name of a header", { filter: { "X-HTTP-Method-Override": "DELETE" } }, "method"],
])("a value cannot set %s by a name that it brings", (_what, values, what = "another parameter") => {
  for (const write of [
    () => writeQuery(values as never),
    () => writeBody({ form: values, encoding: { filter: { explode: true } } }),
    () => writeCookies(values as never),
  ]) {
    expect(write).toThrow(new RegExp(`^"filter" would set ".*", which .*${what}`, "u"));
  }
  expect(writeQuery(values as never, { filter: { style: "deepObject" } })).toMatch(/filter%5B/u);
});

test("no name of a form or of a part replaces the method", () => {
  for (const kind of ["form", "multipart"]) {
    expect(() => writeBody({ [kind]: { _method: "DELETE" } } as never)).toThrow(/replace the method/u);
  }
});

test("a reserved character never begins another parameter", () => {
  fc.assert(
    fc.property(text, (value) => {
      const query = writeQuery({ a: value }, { a: { allowReserved: true } });
      expect(query.split(/[&;#]/u)).toHaveLength(1);
      expect(query.split("=")).toHaveLength(2);
    }),
  );
});

test("one parameter cannot set another", () => {
  expect(() => writeQuery({ customer: "me", filter: { customer: "you" } })).toThrow(/"filter" would set "customer"/u);
  expect(() => writeQuery({ filter: { api_key: "x" } }, {}, [["api_key", "mine"]])).toThrow(/another parameter/u);
  expect(() => writeCookies({ a: { session: "x" }, session: "y" }, { a: { explode: true } })).toThrow(
    /another parameter/u,
  );
});

test.each<[string, unknown]>([
  ["a list of objects", [{ a: 1 }]],
  ["null in a list", [null]],
  ["a function", () => 1],
  ["NaN", Number.NaN],
])("a query refuses %s", (_name, value) => {
  expect(() => writeQuery({ a: value })).toThrow(NotExecuted);
});

test("accepts bytes as base64 or text only", () => {
  expect(base64({ text: "é" })).toBe("w6k=");
  expect(base64({ base64: "w6k=" })).toBe("w6k=");
  expect(base64(undefined)).toBeUndefined();
  for (const value of [{}, { base64: "a" }, { base64: "a===" }, { base64: "a%==" }, { base64: "", text: "" }]) {
    expect(() => base64(value as never)).toThrow(NotExecuted);
  }
  expect(writeBody({ binary: { base64: "AP8=" } })).toMatchObject({ mediaType: "application/octet-stream" });
  expect(writeBody({ binary: "a", mediaType: "text/csv" })).toMatchObject({ mediaType: "text/csv" });
  expect(writeBody({ json: undefined })).toBeUndefined();
});
