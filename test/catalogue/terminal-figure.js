import { stripVTControlCharacters } from "node:util";

const [COLUMNS, CELL, LINE, EDGE] = [104, 7.8, 19, 16];

const STYLE = `
  text { font: 13px ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; white-space: pre; fill: #1d1f21; }
  .window { fill: #fbfaf8; stroke: #8a857c; }
  .c1 { font-weight: 700; } .c2 { fill: #6a6f75; } .c4 { text-decoration: underline; }
  .c31 { fill: #a3261c; } .c32 { fill: #1f6b3a; } .c33 { fill: #7a5200; } .c34 { fill: #0b5c6b; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8e6e1; }
    .window { fill: #1c1f23; stroke: #7b838c; }
    .c2 { fill: #a9aeb4; }
    .c31 { fill: #f2938a; } .c32 { fill: #8fd6a5; } .c33 { fill: #e3b55f; } .c34 { fill: #6cc3d3; }
  }`;

/** Draws a command and its output, with the colours of a terminal. */
export function terminalFigure(command, output) {
  const lines = [`$ ${command}`, "", ...output.trimEnd().split("\n")].flatMap(wrapped);
  const [width, height] = [Math.ceil(COLUMNS * CELL) + 2 * EDGE, lines.length * LINE + 2 * EDGE];
  const active = new Set();
  const rows = lines.map(
    (line, index) => `<text x="${EDGE}" y="${EDGE + 14 + index * LINE}">${spans(line, active)}</text>`,
  );
  const words = stripVTControlCharacters(output).replaceAll(/\s+/g, " ").trim();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${command}: ${words}`)}">
<style>${STYLE}
</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join("\n")}
</svg>
`;
}

/** Breaks a line between words, and indents what follows as far as the line. */
function wrapped(line) {
  const lines = [];
  const indent = /^ */.exec(line)[0];
  let rest = line;
  while (stripVTControlCharacters(rest).length > COLUMNS) {
    let end = rest.lastIndexOf(" ");
    while (end > indent.length && stripVTControlCharacters(rest.slice(0, end)).length > COLUMNS) {
      end = rest.lastIndexOf(" ", end - 1);
    }
    if (end <= indent.length) break;
    lines.push(rest.slice(0, end));
    rest = indent + rest.slice(end + 1);
  }
  return [...lines, rest];
}

const SGR = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, "u");

/** The codes that each code ends. */
const ENDS = { 22: [1, 2], 24: [4], 39: [31, 32, 33, 34] };

function spans(line, active) {
  const parts = line.split(SGR);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) {
        if (part === "") return "";
        const names = [...active].map((code) => `c${code}`).join(" ");
        return names === "" ? escaped(part) : `<tspan class="${names}">${escaped(part)}</tspan>`;
      }
      for (const code of ENDS[part] ?? []) active.delete(code);
      if (ENDS[part] === undefined) active.add(Number(part));
      return "";
    })
    .join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
