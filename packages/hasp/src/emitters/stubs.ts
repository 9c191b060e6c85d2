import type { FlatTool } from "../model/tool.js";
import { filledTemplate } from "../templates/fill-template.js";
import { asComment, docComment } from "../typescript/doc-comment.js";
import type { WantedExports } from "../typescript/add-exports.js";
import type { GeneratedNames } from "../typescript/names.js";
import { stringLiteral } from "../typescript/string-literal.js";
import type { Emitter, EmitPlan, ToolToEmit } from "./emitter.js";
import { importPath, type Layout } from "./layout.js";

/** A handler for each tool, made once; from then on the file is the user's. */
export const stubs: Emitter<string> = {
  name: "stubs",
  part: stubText,
  files: ({ tools, layout }, partOf) =>
    tools.map(({ name, names }) => ({ path: layout.handler(names), owner: "user", pieces: [partOf(name)] })),
};

function stubText({ tool, names, layout, plan }: ToolToEmit): string {
  const path = layout.handler(names);
  const { functions, imports } = wantedExports(tool, names, layout, plan);
  const execute: StubFunction = {
    name: "execute",
    handlerType: `${names.pascal}Handler`,
    comment: tool.spec.description,
    message: `${tool.name} does nothing yet: write it in ${path}.`,
  };
  const importText = imports
    .map(({ name, from, isType }) => `import ${isType ? "type " : ""}{ ${name} } from "${from}";`)
    .join("\n");
  const own = plan.stubTemplates?.handler;
  const begin =
    own === undefined
      ? `${importText}\n\n${functionText(execute)}`
      : filled(own, tool, execute, importPath(path, layout.toolModule(names)));
  return `${[begin, ...functions.map(({ text }) => text)].join("\n\n")}\n`;
}

/** What a tool's spec demands of its handler beside `execute`, as it stands in a stub, and what a stub imports. */
export function wantedExports(
  tool: FlatTool,
  names: GeneratedNames,
  layout: Layout,
  plan: Pick<EmitPlan, "stubTemplates">,
): WantedExports {
  const path = layout.handler(names);
  const own = plan.stubTemplates?.customFunction;
  return {
    functions: tool.customFunctions.map((name) => {
      const stub: StubFunction = {
        name,
        handlerType: `${names.pascal}Handler`,
        comment: purposeOf(tool, name),
        message: `${name} judges nothing yet: write it in ${path}.`,
      };
      return {
        name,
        text:
          own === undefined ? functionText(stub) : filled(own, tool, stub, importPath(path, layout.toolModule(names))),
      };
    }),
    imports: [
      { name: "NotExecuted", from: "@hasp/runtime", isType: false },
      { name: `${names.pascal}Handler`, from: importPath(path, layout.toolModule(names)), isType: true },
    ],
  };
}

/** A function of a stub that says what is to be done, and that nothing was. */
interface StubFunction {
  readonly name: string;
  readonly handlerType: string;
  readonly comment: string;
  readonly message: string;
}

/** A text as it stands between the double quotes of a template. */
function quotable(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The project's own form of a stub, or of a function in it. */
function filled(
  template: string,
  tool: FlatTool,
  { name, handlerType, comment, message }: StubFunction,
  toolModule: string,
): string {
  return filledTemplate(template, {
    TOOL_NAME: tool.name,
    HANDLER_TYPE: handlerType,
    TOOL_MODULE: quotable(toolModule),
    FUNCTION_NAME: name,
    DOCSTRING: docComment([asComment(comment)]).join("\n"),
    MESSAGE: quotable(message),
  }).trimEnd();
}

function functionText({ name, handlerType, comment, message }: StubFunction): string {
  const declaration = `export const ${name}: ${handlerType}[${stringLiteral(name)}] =`;
  const body = (indent: string): string => {
    const flat = `${indent}  throw new NotExecuted(${stringLiteral(message)});`;
    const thrown =
      flat.length <= 80
        ? flat
        : `${indent}  throw new NotExecuted(\n${indent}    ${stringLiteral(message)},\n${indent}  );`;
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
