/** The sources of a project, and the results of a build. */
const SOURCES = ["specs", "policies", "ledger", "configuration"];
const OUTPUTS = ["provider lists", "types and registry", "losses, manifest", "catalogue, review"];

/** Each phase in a few words. */
const ABOUT = {
  load: "positions of every value",
  resolve: "every $ref, default, claim",
  flatten: "no $ref, no allOf, closed",
  check: "rules, handlers, approvals",
  lower: "each dialect, each loss",
  emit: "all files, or none",
};

const STYLE = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1d1f21; }
  .small { font-size: 11px; fill: #55595e; }
  .name { font-weight: 650; font-size: 14px; }
  .box { fill: #ffffff; stroke: #8a857c; }
  .phase { fill: #e6f1f3; stroke: #0b5c6b; }
  .way { stroke: #0b5c6b; stroke-width: 1.5; fill: none; }
  .stop { fill: #a3261c; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8e6e1; }
    .small { fill: #a9aeb4; }
    .box { fill: #1c1f23; stroke: #7b838c; }
    .phase { fill: #17313a; stroke: #6cc3d3; }
    .way { stroke: #6cc3d3; }
    .stop { fill: #f2938a; }
  }`;

/** Draws the phases of a build, with what goes in and what comes out. */
export function pipelineFigure(phases) {
  const unknown = phases.filter((name) => ABOUT[name] === undefined);
  if (unknown.length > 0) throw new Error(`The figure says nothing about ${unknown.join(", ")}.`);
  const [left, width, gap, top] = [170, 150, 22, 66];
  const total = left + phases.length * (width + gap) + 158;
  const boxes = phases.map((name, index) => {
    const x = left + index * (width + gap);
    return [
      `<rect class="phase" x="${x}" y="${top}" width="${width}" height="64" rx="6"/>`,
      `<text class="name" x="${x + width / 2}" y="${top + 27}" text-anchor="middle">${index + 1} ${name}</text>`,
      `<text class="small" x="${x + width / 2}" y="${top + 46}" text-anchor="middle">${ABOUT[name]}</text>`,
      arrow(x - gap, top + 32, x),
    ].join("\n");
  });
  const end = left + phases.length * (width + gap) - gap;
  const middle = left + (phases.length * (width + gap) - gap) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} 196" role="img" aria-label="Specs, policies, the ledger and the configuration go through six phases: ${phases.join(", ")}. Provider lists, types, a registry and records come out, or nothing if there is any error.">
<style>${STYLE}
</style>
${column(SOURCES, 8, 132)}
${boxes.join("\n")}
${arrow(end, top + 32, end + gap)}
${column(OUTPUTS, end + gap, 150)}
<path class="way" d="M ${left} 152 v 8 H ${end} v -8"/>
<text x="${middle}" y="182" text-anchor="middle"><tspan class="stop">Any error: </tspan>no file is written, and every finding has a line in your own file and a remedy.</text>
</svg>
`;
}

function column(words, x, width) {
  return words
    .map(
      (word, index) =>
        `<rect class="box" x="${x}" y="${16 + index * 42}" width="${width}" height="34" rx="6"/>\n<text x="${x + width / 2}" y="${38 + index * 42}" text-anchor="middle">${word}</text>`,
    )
    .join("\n");
}

function arrow(from, y, to) {
  return `<path class="way" d="M ${from + 3} ${y} H ${to - 4} m -5 -4 l 5 4 l -5 4"/>`;
}
