import type { Overview } from "../../model.js";
import { type Child, h } from "../parts/dom.js";
import { findingList, heading } from "../parts/blocks.js";
import { count } from "../parts/words.js";

export function findingsView({ findings, tools, unknown }: Overview): readonly Child[] {
  const known = new Set(tools.map(({ name }) => name));
  const end = { total: findings.total, empty: "The specs have no finding.", command: "hasp check --format json" };
  return [
    h(
      "div",
      { class: "head" },
      heading("Findings"),
      h("p", { class: "soft" }, `${count(end.total, "finding")} of `, h("code", {}, "hasp check"), "."),
      unknown.length > 0 &&
        h(
          "p",
          {},
          `Of ${count(unknown.length, "tool")}, only the errors are known: ${unknown.map(({ name }) => name).join(", ")}.`,
        ),
    ),
    ...findingList(findings.listed, end, known),
  ];
}
