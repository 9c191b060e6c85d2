import type { FlatTool } from "@hasp/compiler";
import {
  reporting,
  spec,
  locateText,
  PROMPT_ROLES,
  type ToolText,
  defineRule,
  type FindingContext,
  type Rule,
} from "@hasp/compiler/plugin";
import { listDeclaredTools, listToolsetMembers } from "@hasp/compiler/model";

/** A word in backticks that the sentence calls a tool. */
const POINTS_TO_TOOL =
  /\b(?:use|using|call|calling|try|prefer|see|via|with|run|invoke|from|by|tool)\b[^`.]{0,12}`([A-Za-z][A-Za-z0-9_-]{2,63})`|`([A-Za-z][A-Za-z0-9_-]{2,63})`(?= tool\b)/giu;
const IN_BACKTICKS = /`([A-Za-z][A-Za-z0-9_-]{0,63})`/gu;

export const unknownToolMention: Rule = defineRule({
  id: "description/unknown-tool-mention",
  severity: "warning",
  summary: "A description mentions only tools of the same list.",
  why:
    '"Use `search_files` instead" helps a model only if search_files is in the list. If that tool was renamed or left out of the toolset, ' +
    "the model calls it anyway and is told that it does not exist.",
  messages: {
    unknown: "There is no tool `{name}` in this project; correct the name, or describe the alternative in words.",
    alias: "`{name}` is an alias, which models do not see; write `{tool}`.",
    unlisted:
      'The toolset "{toolset}" lists {self} but not `{name}`, which this text points to; add it or reword the text.',
  },
  examples: {
    bad: [
      {
        spec: spec`
          tools:
            - name: read_file
              description: Read a file. To find one use \`find_files\`; use \`list_files\` to list, and the \`grep_files\` tool to search.
              input: { type: object, properties: {} }
            - { name: search_files, aliases: [find_files], description: Search., input: { type: object, properties: {} } }
            - { name: grep_files, description: Search in files., input: { type: object, properties: {} } }
        `,
        reports: ["alias", "unknown", "unlisted"],
        plan: { toolsets: [{ name: "small", include: ["read_file", "search_files"], exclude: [] }] },
      },
    ],
    good: [
      spec`
        tools:
          - name: read_file
            description: Read a file, with \`path\` as written. Use \`encoding\` for other texts, and \`search_files\` to find one.
            input: { type: object, properties: { path: { type: string }, encoding: { type: string } } }
          - { name: search_files, description: Search., input: { type: object, properties: {} } }
      `,
    ],
  },
  readTool: mentionsIn,
  checkProject({ tools, documents, readingOf }, { plan, report }) {
    const declared = new Set(listDeclaredTools(documents).map(({ name }) => name));
    const known = new Set(tools.map(({ name }) => name));
    const aliases = new Map(
      tools.flatMap((tool) => (tool.spec.aliases ?? []).map((alias) => [alias, tool.name] as const)),
    );
    let toolsets: readonly { readonly name: string; readonly members: ReadonlySet<string> }[] | undefined;
    for (const tool of tools) {
      for (const { name, isPointedTo, ...text } of readingOf(tool)) {
        const owner = aliases.get(name);
        const isKnown = known.has(name);
        if (!isPointedTo && !isKnown && owner === undefined) continue;
        const context = (): FindingContext => ({ tool, location: locateText(tool, text) });
        if (owner !== undefined) report("alias", context(), { name, tool: owner });
        else if (!declared.has(name)) report("unknown", { ...context(), needsAllSpecs: true }, { name });
        if (!isKnown) continue;
        toolsets ??= listToolsetMembers(tools, plan.toolsets).map((toolset) => ({
          name: toolset.name,
          members: new Set(toolset.tools.map((each) => each.name)),
        }));
        const lacking = toolsets.find(({ members }) => members.has(tool.name) && !members.has(name));
        if (lacking !== undefined) report("unlisted", context(), { name, toolset: lacking.name, self: tool.name });
      }
    }
  },
});

interface Mention extends Omit<ToolText, "text"> {
  readonly name: string;
  readonly isPointedTo: boolean;
}

function mentionsIn(tool: FlatTool, texts: readonly ToolText[]): readonly Mention[] {
  let words: ReadonlySet<string> | undefined;
  const marked = texts.filter(({ text, role }) => PROMPT_ROLES.has(role) && text.includes("`"));
  return marked.flatMap(({ text, ...context }) => {
    const pointedTo = namesPointedTo(text);
    const inBackticks = Array.from(text.matchAll(IN_BACKTICKS), ([, name = ""]) => name);
    const own = (words ??= collectWords(tool));
    return [...new Set([...inBackticks, ...pointedTo])]
      .filter((name) => name !== tool.name && !own.has(name))
      .map((name) => ({ ...context, name, isPointedTo: pointedTo.has(name) }));
  });
}

function namesPointedTo(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, before, after] of text.matchAll(POINTS_TO_TOOL)) {
    const name = before ?? after;
    // A single word may be anything: a value, a command, a format.
    if (name !== undefined && (after !== undefined || name.includes("_"))) names.add(name);
  }
  return names;
}

function collectWords(tool: FlatTool): ReadonlySet<string> {
  const words = new Set<string>();
  for (const flat of [tool.input, tool.output]) {
    if (flat === undefined) continue;
    for (const { schema, property } of flat.nodes) {
      if (property !== undefined) words.add(property);
      for (const value of schema.enum ?? []) if (typeof value === "string") words.add(value);
      if (typeof schema.const === "string") words.add(schema.const);
    }
  }
  return words;
}

const DEPRECATED =
  /(?:^|[.!?)\]]\s{1,3}|\n\s{0,3})(?:\W{0,3})?(?:DEPRECATED\b|[Dd]eprecated[:.,!]|(?:[Tt]his tool|[Tt]his function|[Ii]t) is (?:deprecated|obsolete|superseded)\b)/u;

export const deprecatedTool: Rule = defineRule({
  id: "description/deprecated-tool",
  severity: "warning",
  summary: "No offered tool calls itself deprecated.",
  why:
    "Models still choose a deprecated tool, and every request pays for it. If a tool was renamed or replaced, list its old name under " +
    "`aliases` of the new one: calls by that name still work, and the name costs no tokens.",
  messages: {
    deprecated:
      '"{name}" calls itself deprecated. Remove it and add its name to the "aliases" of the tool that replaces it, or defer it.',
  },
  examples: {
    bad: [
      reporting("deprecated")`
        name: read_file
        description: "Read a file as text. DEPRECATED: use read_text_file instead."
        input: { type: object, properties: {} }
      `,
    ],
    good: [
      spec`
        name: list_apis
        description: List the APIs of a project. Deprecated ones come last.
        input: { type: object, properties: {} }
      `,
      spec`
        name: read_file
        description: "Deprecated: use another tool."
        input: { type: object, properties: {} }
        visibility: { load: deferred, searchHint: file }
      `,
    ],
  },
  checkTool(tool, { report }) {
    if (tool.metadata.visibility.load === "deferred" || !DEPRECATED.test(tool.spec.description)) return;
    report("deprecated", { location: tool.locate("/description") }, { name: tool.name });
  },
});
