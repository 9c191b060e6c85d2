import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import type { SourceText } from "../model/document.js";
import type { StubTemplates } from "../model/plan.js";
import { checkTemplate, TEMPLATE_FOLDER, type TemplateForm } from "./check-template.js";

const forms: { readonly [part in keyof StubTemplates]-?: { readonly path: string; readonly form: TemplateForm } } = {
  handler: {
    path: `${TEMPLATE_FOLDER}/stub/handler.ts`,
    form: { known: ["TOOL_NAME", "HANDLER_TYPE", "TOOL_MODULE", "DOCSTRING", "MESSAGE"], required: ["HANDLER_TYPE", "TOOL_MODULE"] },
  },
  customFunction: {
    path: `${TEMPLATE_FOLDER}/stub/custom-function.ts`,
    form: { known: ["TOOL_NAME", "HANDLER_TYPE", "FUNCTION_NAME", "DOCSTRING", "MESSAGE"], required: ["HANDLER_TYPE", "FUNCTION_NAME"] },
  },
};

export const stubTemplatePaths: readonly string[] = Object.values(forms).map(({ path }) => path);

/** Checks the templates of a project and drops invalid ones. */
export function stubTemplates(sources: readonly SourceText[]): Found<StubTemplates> {
  const diagnostics: Diagnostic[] = [];
  const textOf = (part: keyof StubTemplates): string | undefined => {
    const { path, form } = forms[part];
    const source = sources.find(({ uri }) => uri === path);
    const found = source === undefined ? [] : checkTemplate(source, form);
    diagnostics.push(...found);
    return found.length === 0 ? source?.text : undefined;
  };
  const [handler, customFunction] = [textOf("handler"), textOf("customFunction")];
  return { value: { ...(handler === undefined ? {} : { handler }), ...(customFunction === undefined ? {} : { customFunction }) }, diagnostics };
}
