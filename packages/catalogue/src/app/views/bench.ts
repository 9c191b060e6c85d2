import type { CallPreview } from "@hasp/runtime";
import type { Overview, ToolPage } from "../../model.js";
import {
  listCustomFunctions,
  type Difference,
  differences,
  parseJson,
  type TrialResult,
  tryCall,
} from "../parts/bench-engine.js";
import { append, type Child, h, replace } from "../parts/dom.js";
import { heading, json } from "../parts/blocks.js";
import { linkTo } from "../parts/page.js";

const OFFERED_INPUTS = 8;

export function renderBench(
  page: ToolPage,
  { policies, tools }: Overview,
  settings: URLSearchParams,
  onChoice: (settings: Readonly<Record<string, string>>) => void,
): readonly Child[] {
  const toolsets = tools.find(({ name }) => name === page.name)?.toolsets ?? [];
  const own = policies.filter(({ toolset }) => toolsets.includes(toolset));
  const input = h("textarea", { id: "arguments", spellcheck: "false", autocapitalize: "off", input: () => onInput() });
  const context = h("textarea", { id: "context", class: "short", spellcheck: "false", input: () => void judge() });
  const policy = h(
    "select",
    {
      id: "policy",
      change: () => {
        fillContext();
        void judge();
      },
    },
    ...own.map(({ toolset }) => h("option", { value: toolset }, `of toolset ${toolset}`)),
    h("option", { value: "" }, "none"),
  );
  const somebody = h("input", { type: "checkbox", id: "somebody", checked: true, change: () => void judge() });
  const result = h("div", { class: "block", role: "status", "aria-label": "Result" });
  const fillContext = (): void => {
    const { context: sample = {} } = own.find(({ toolset }) => toolset === policy.value) ?? {};
    context.value = JSON.stringify(sample);
  };
  fillContext();
  input.value = settings.get("input") ?? JSON.stringify(page.inputs[0] ?? {}, undefined, 2);

  let latest = 0;
  const judge = async (): Promise<void> => {
    const run = (latest += 1);
    const surroundings = parseJson(context.value);
    const shown =
      surroundings === undefined
        ? [h("p", { class: "verdict caution" }, "The context is not valid JSON.")]
        : await outcome(page, {
            page,
            input: input.value,
            context: surroundings,
            policy: own.find(({ toolset }) => toolset === policy.value),
            isInteractive: somebody.checked,
          });
    if (run === latest) replace(result, ...shown);
  };
  const onInput = (): void => {
    onChoice({ input: input.value });
    void judge();
  };
  const offered = page.inputs.slice(0, OFFERED_INPUTS).map((each, index) =>
    h(
      "button",
      {
        type: "button",
        title: JSON.stringify(each).slice(0, 200),
        click: () => {
          input.value = JSON.stringify(each, undefined, 2);
          onInput();
        },
      },
      `input ${index + 1}`,
    ),
  );
  void judge();
  const custom = listCustomFunctions(page);
  return [
    h(
      "div",
      { class: "head" },
      heading("Bench: ", h("span", { class: "code" }, page.name)),
      h(
        "p",
        { class: "soft" },
        "The runtime's own dispatcher judges these arguments in this page. Nothing is sent, and no handler runs. ",
        h("a", { href: linkTo("tool", page.name) }, "About the tool"),
      ),
      custom.length > 0 &&
        h(
          "p",
          { class: "note" },
          `Functions of the handler are not in this page: ${custom.join(", ")}. Conditions that call them get the strict answer, and checks by them are left out.`,
        ),
    ),
    h(
      "div",
      { class: "bench" },
      h(
        "div",
        { class: "block" },
        h("div", { class: "field" }, h("label", { for: "arguments" }, "Arguments, as a model sends them"), input),
        offered.length > 0 &&
          h("div", { class: "tabs", role: "group", "aria-label": "Inputs of the spec" }, ...offered),
        h("div", { class: "field" }, h("label", { for: "context" }, "Context of the host, for policies"), context),
        h("div", { class: "field" }, h("label", { for: "policy" }, "Policy"), policy),
        h("div", { class: "check" }, somebody, h("label", { for: "somebody" }, "Somebody can be asked")),
      ),
      result,
    ),
  ];
}

async function outcome(page: ToolPage, trial: Parameters<typeof tryCall>[0]): Promise<readonly Child[]> {
  try {
    return resultParts(page, await tryCall(trial), trial.input);
  } catch (error) {
    return [
      h(
        "div",
        { class: "verdict danger" },
        h("strong", {}, "The call cannot be judged"),
        h("p", {}, error instanceof Error ? error.message : "unknown"),
      ),
    ];
  }
}

const VERDICTS: { readonly [decision in CallPreview["decision"]]: readonly [title: string, tone: string] } = {
  allow: ["It runs without asking", "calm"],
  ask: ["Somebody is asked first", "caution"],
  deny: ["It is refused", "danger"],
  invalid: ["The model gets an error", "danger"],
};

function resultParts(page: ToolPage, { preview, row, wire }: TrialResult, input: string): readonly Child[] {
  const [title, tone] = VERDICTS[preview.decision];
  const verdict = h("div", { class: `verdict ${tone}` }, h("strong", {}, title), h("p", {}, preview.reason));
  if (preview.decision === "invalid") {
    return [
      verdict,
      steps([
        ["refused in", preview.phase],
        ["code", h("code", {}, preview.code)],
      ]),
    ];
  }
  const { class: name, ...flags } = preview.classification;
  const sent = parseJson(input);
  return [
    verdict,
    steps([
      ["input", h("pre", {}, JSON.stringify(preview.input, undefined, 2))],
      ["changed", changes(sent === undefined ? [] : differences(sent, preview.input))],
      ["class", [h("code", {}, name), h("p", { class: "soft" }, rowText(page, row))]],
      [
        "flags",
        h(
          "dl",
          { class: "facts" },
          ...Object.entries(flags).flatMap(([flag, value]) => [h("dt", {}, flag), h("dd", {}, String(value))]),
        ),
      ],
      ["on the wire", wireForms(wire)],
    ]),
  ];
}

function steps(rows: readonly (readonly [title: string, content: Child])[]): HTMLElement {
  return h(
    "div",
    { class: "steps" },
    ...rows.map(([title, content]) => h("div", {}, h("h2", {}, title), h("div", {}, content))),
  );
}

function rowText({ table }: ToolPage, row: number | undefined): string {
  if (row !== undefined) return `Row ${row + 1} decides: ${table[row]?.condition ?? ""}`;
  return table.length === 1
    ? "Every call has this class."
    : "No row holds, or one of them fails: the tool's own values apply.";
}

function changes(found: readonly Difference[]): Child {
  if (found.length === 0) return h("p", { class: "soft" }, "Nothing: the handler receives what was sent.");
  return h(
    "ul",
    {},
    ...found.map((difference) => {
      const item = h("li", {}, h("code", {}, difference.pointer || "the input"), " ");
      if (difference.kind === "filled") append(item, ["filled in: ", json(difference.after)]);
      else if (difference.kind === "dropped") append(item, ["left out: ", json(difference.before)]);
      else append(item, [json(difference.before), " became ", json(difference.after)]);
      return item;
    }),
  );
}

function wireForms(wire: TrialResult["wire"]): Child {
  if (wire.length === 0) return h("p", { class: "soft" }, "The same in every dialect of the project.");
  return [
    ...wire.map(({ dialect, value }) =>
      h(
        "div",
        {},
        h("p", { class: "code soft" }, dialect),
        value === undefined
          ? h("p", {}, "cannot be sent in this dialect")
          : h("pre", {}, JSON.stringify(value, undefined, 2)),
      ),
    ),
    h("p", { class: "soft" }, "The same in every other dialect of the project."),
  ];
}
