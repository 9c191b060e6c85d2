import { declarationOf } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";
import { fillPlaceholders } from "@hasp/base/diagnostics";
import type { WantedExports } from "../typescript/add-exports.js";
import {
  code,
  type Code,
  printDocComment,
  importStatement,
  joinCode,
  literal,
  name,
  markAsCode,
  formatModule,
} from "@hasp/compiler/code";
import type { GeneratedNames, Layout } from "@hasp/compiler/layout";
import type { Emitter, EmitPlan, ToolToEmit } from "./base/emitter.js";
import { findCustomUses } from "./module-parts/handler-type.js";

/** Handler stubs for tools that declare no handler. Each is created once and then belongs to the user. */
export const stubs: Emitter<string | null> = {
  name: "stubs",
  part: (tool) => {
    if (declarationOf(tool.tool.spec) !== undefined) return null;
    return formatStub(stubCode(tool), tool.plan);
  },
  files: ({ tools, layout }, partOf) =>
    tools.flatMap((tool) => {
      const text = partOf(tool.name);
      return text === null ? [] : [{ path: layout.handler(tool.names), owner: "user", text }];
    }),
};

/** Formats what hasp's own templates make; a project's own are the user's. */
async function formatStub(stub: Code, { stubTemplates }: Pick<EmitPlan, "stubTemplates">): Promise<string> {
  return stubTemplates === undefined ? formatModule(stub) : stub.text;
}

function stubCode({ tool, names, layout, plan }: ToolToEmit): Code {
  const path = layout.handler(names);
  const functions = printCustomFunctions(tool, names, layout, plan);
  const execute: StubFunction = {
    name: "execute",
    handlerType: `${names.pascal}Handler`,
    comment: tool.spec.description,
    message: `${tool.name} does nothing yet: write it in ${path}.`,
  };
  const own = plan.stubTemplates?.handler;
  const statements = listStubImports(names, layout).map(({ from, ...imported }) => importStatement([imported], from));
  const begin =
    own === undefined
      ? code`${joinCode(statements, "\n")}\n\n${functionCode(execute)}`
      : fillTemplate(own, tool, execute, layout.importPath(path, layout.toolModule(names)));
  return code`${joinCode([begin, ...functions.map(({ text }) => text)], "\n\n")}\n`;
}

/** Lists the exports that a spec requires of its handler besides `execute`, and the stub's imports. */
export async function listWantedExports(
  tool: FlatTool,
  names: GeneratedNames,
  layout: Layout,
  plan: Pick<EmitPlan, "stubTemplates">,
): Promise<WantedExports> {
  const functions = printCustomFunctions(tool, names, layout, plan).map(async (printed) => ({
    name: printed.name,
    text: (await formatStub(printed.text, plan)).trimEnd(),
  }));
  return { functions: await Promise.all(functions), imports: listStubImports(names, layout) };
}

function listStubImports(names: GeneratedNames, layout: Layout): WantedExports["imports"] {
  const toolModule = layout.importPath(layout.handler(names), layout.toolModule(names));
  return [
    { name: "NotExecuted", from: "@hasp/runtime", isType: false },
    { name: `${names.pascal}Handler`, from: toolModule, isType: true },
  ];
}

function printCustomFunctions(
  tool: FlatTool,
  names: GeneratedNames,
  layout: Layout,
  plan: Pick<EmitPlan, "stubTemplates">,
): readonly { readonly name: string; readonly text: Code }[] {
  const path = layout.handler(names);
  const own = plan.stubTemplates?.customFunction;
  const { predicates, checks } = findCustomUses(tool);
  return tool.customFunctions.map((custom) => {
    const isJudge = predicates.has(custom) || checks.has(custom);
    const stub: StubFunction = {
      name: custom,
      handlerType: `${names.pascal}Handler`,
      comment: predicates.has(custom)
        ? "Judges one parsed input, at once. If it throws, the strict answer holds."
        : isJudge
          ? "Answers `true`, or what the model is to be told."
          : "Returns the description for one context. If it throws, models read the plain one.",
      message: `${custom} ${isJudge ? "judges" : "describes"} nothing yet: write it in ${path}.`,
    };
    const toolModule = layout.importPath(path, layout.toolModule(names));
    return { name: custom, text: own === undefined ? functionCode(stub) : fillTemplate(own, tool, stub, toolModule) };
  });
}

interface StubFunction {
  readonly name: string;
  readonly handlerType: string;
  readonly comment: string;
  readonly message: string;
}

function functionCode({ name: exported, handlerType, comment, message }: StubFunction): Code {
  return code`${printDocComment([comment])}export const ${name(exported)}: ${name(handlerType)}[${literal(exported)}] = () => {
  throw new NotExecuted(${literal(message)});
};`;
}

function fillTemplate(
  template: string,
  tool: FlatTool,
  { name: exported, handlerType, comment, message }: StubFunction,
  toolModule: string,
): Code {
  const text = fillPlaceholders(template, {
    TOOL_NAME: tool.name,
    HANDLER_TYPE: handlerType,
    TOOL_MODULE: quotable(toolModule),
    FUNCTION_NAME: exported,
    DOCSTRING: printDocComment([comment]).text.trimEnd(),
    MESSAGE: quotable(message),
  });
  return markAsCode(text.trimEnd());
}

function quotable(text: string): string {
  return literal(text).text.slice(1, -1);
}
