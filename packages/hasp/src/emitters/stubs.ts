import type { FlatTool } from "../model/tool.js";
import { asComment, docComment } from "../typescript/doc-comment.js";
import type { WantedExports } from "../typescript/add-exports.js";
import type { GeneratedNames } from "../typescript/names.js";
import { stringLiteral } from "../typescript/string-literal.js";
import { type Emitter, partOf, type ToolToEmit } from "./emitter.js";
import { importPath, type Layout } from "./layout.js";

/** A handler for each tool, made once; from then on the file is the user's. */
export const stubs: Emitter<string> = {
  name: "stubs",
  part: stubText,
  files: ({ tools, layout }, parts) => tools.map(({ name, names }) => ({ path: layout.handler(names), owner: "user", text: partOf(parts, name) })),
};

function stubText({ tool, names, layout }: ToolToEmit): string {
  const path = layout.handler(names);
  const execute = functionText("execute", `${names.pascal}Handler`, tool.spec.description, `${tool.name} does nothing yet: write it in ${path}.`);
  const { functions, imports } = wantedExports(tool, names, layout);
  const importText = imports.map(({ name, from, isType }) => `import ${isType ? "type " : ""}{ ${name} } from "${from}";`).join("\n");
  return `${[importText, execute, ...functions.map(({ text }) => text)].join("\n\n")}\n`;
}

/** What a tool's spec demands of its handler beside `execute`, as it stands in a stub, and what a stub imports. */
export function wantedExports(tool: FlatTool, names: GeneratedNames, layout: Layout): WantedExports {
  const path = layout.handler(names);
  const handler = `${names.pascal}Handler`;
  return {
    functions: tool.customFunctions.map((name) => ({
      name,
      text: functionText(name, handler, purposeOf(tool, name), `${name} judges nothing yet: write it in ${path}.`),
    })),
    imports: [
      { name: "NotExecuted", from: "@hasp/runtime", isType: false },
      { name: handler, from: importPath(path, layout.toolModule(names)), isType: true },
    ],
  };
}

function functionText(name: string, handler: string, comment: string, message: string): string {
  const declaration = `export const ${name}: ${handler}[${stringLiteral(name)}] =`;
  const body = (indent: string): string => {
    const flat = `${indent}  throw new NotExecuted(${stringLiteral(message)});`;
    const thrown = flat.length <= 80 ? flat : `${indent}  throw new NotExecuted(\n${indent}    ${stringLiteral(message)},\n${indent}  );`;
    return `{\n${thrown}\n${indent}};`;
  };
  const text =
    declaration.length + " (".length > 80
      ? `${declaration}\n  (_input) => ${body("  ")}`
      : `${declaration} ${`${declaration} (_input) => {`.length <= 80 ? "(_input)" : "(\n  _input,\n)"} => ${body("")}`;
  return [...docComment([asComment(comment)]), text].join("\n");
}

function purposeOf(tool: FlatTool, name: string): string {
  const judges = [...tool.rules.map(({ when }) => when), ...tool.flags.map(({ predicate }) => predicate)];
  return judges.some((predicate) => predicate.kind === "custom" && predicate.name === name)
    ? "Judges one parsed input, at once. If it throws, the strict answer holds."
    : "Answers `true`, or what the model is to be told.";
}
