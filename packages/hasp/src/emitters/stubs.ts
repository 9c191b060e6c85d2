import type { FlatTool } from "../model/tool.js";
import { asComment, docComment } from "../typescript/doc-comment.js";
import { stringLiteral } from "../typescript/string-literal.js";
import { type Emitter, partOf, type ToolToEmit } from "./emitter.js";
import { importPath } from "./layout.js";

/** A handler for each tool, made once; from then on the file is the user's. */
export const stubs: Emitter<string> = {
  name: "stubs",
  part: stubText,
  files: ({ tools, layout }, parts) => tools.map(({ name, names }) => ({ path: layout.handler(names), owner: "user", text: partOf(parts, name) })),
};

function stubText({ tool, names, layout }: ToolToEmit): string {
  const path = layout.handler(names);
  const handler = `${names.pascal}Handler`;
  const execute = functionText("execute", handler, tool.spec.description, `${tool.name} does nothing yet: write it in ${path}.`);
  const custom = tool.customFunctions.map((name) => functionText(name, handler, purposeOf(tool, name), `${name} judges nothing yet: write it in ${path}.`));
  return `${[
    `import { NotExecuted } from "@hasp/runtime";\nimport type { ${handler} } from "${importPath(path, layout.toolModule(names))}";`,
    execute,
    ...custom,
  ].join("\n\n")}\n`;
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
