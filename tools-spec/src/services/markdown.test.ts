import { describe, expect, test } from "vitest";
import { createMarkdownWriter } from "./markdown.js";

function convert(html: string, pieces = 1): string {
  const writer = createMarkdownWriter(new URL("https://example.com/docs/"));
  const size = Math.ceil(html.length / pieces);
  for (let start = 0; start < html.length; start += size) writer.write(html.slice(start, start + size));
  return writer.end();
}

const page = `<!doctype html><title>Doors</title><style>p { color: red }</style><script>alert("<p>x</p>")</script>
<h1>Hasps &amp; doors</h1><p>A <b>hasp</b> keeps a <a href="door">door</a>
 shut; <a href="javascript:alert(1)">never</a> <code>mv</code> it.<p>Second<br>line
<ul><li>one<ol><li>a<li>b</ol><li>two</ul><pre><code>x  = 1
y</code></pre><table><tr><th>a<th>b<tr><td>1<td>2</table><img src=x alt="A door">`;
const markdown = `# Hasps & doors

A **hasp** keeps a [door](https://example.com/docs/door) shut; never \`mv\` it.

Second
line

- one
  1. a
  2. b
- two

\`\`\`
x  = 1
y
\`\`\`

| a | b |
| --- | --- |
| 1 | 2 |

![A door]`;

test.each([1, 7, 60])("a page in %i pieces", (pieces) => {
  expect(convert(page, pieces)).toBe(markdown);
});

describe("hostile pages end soon", () => {
  test.each([
    ["unclosed elements", "<b>".repeat(300_000)],
    ["elements that nothing opened", "<div>".repeat(400) + "</b>".repeat(300_000)],
    ["attributes", `<a ${"x ".repeat(500_000)}>`],
    ["angle brackets", "<".repeat(1_000_000)],
    ["comments", "<!--".repeat(250_000)],
    ["siblings", "<p>a</p>".repeat(120_000)],
    ["blanks", `<p>${" ".repeat(1_000_000)}`],
    ["rows without a table", "<tr><td>".repeat(120_000)],
  ])(
    "%s",
    (_name, html) => {
      // The test's own time limit is the assertion: each took minutes in a converter that builds a tree.
      expect(convert(html).length).toBeLessThan(2 * html.length);
    },
    5000,
  );
});
