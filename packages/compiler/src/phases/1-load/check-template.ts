import { dropUndefined } from "@hasp/base/json";
import {
  type Diagnostic,
  type Found,
  createLocation,
  findSuggestions,
  defineDiagnostics,
  type DiagnosticFactory,
  findPlaceholders,
} from "@hasp/base/diagnostics";
import type { SourceText } from "../../model/document.js";
import { findConflictMarker, createLocator } from "./source-text.js";
import type { StubTemplates } from "../../model/plan.js";

export const TEMPLATE_FOLDER = "hasp-templates";

interface TemplateForm {
  readonly known: readonly string[];
  readonly required: readonly string[];
}

const definitions = {
  unreadable: 'The template "{uri}" cannot be read: {reason}',
  "unknown-placeholder": {
    message: "Unknown placeholder __{name}__.{nearest:suggestion}",
    help: "The placeholders are {known:list}.",
  },
  "missing-placeholder": {
    message: 'The template "{uri}" has no __{name}__, so its output would not be linked to its tool.',
    help: "Start from a copy of hasp's own template, which the documentation shows.",
  },
} as const;

export const templateDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("template", definitions);

/** Reports errors of a user template at their positions. */
export function checkTemplate(
  { uri, text, unreadable, unreadableAt }: SourceText,
  { known, required }: TemplateForm,
): readonly Diagnostic[] {
  const locate = createLocator(uri, text);
  const start = locate({ start: 0, end: 0 }, "");
  if (unreadable !== undefined) {
    return [templateDiagnostics("unreadable", createLocation(uri, unreadableAt), { uri, reason: unreadable })];
  }
  const conflict = findConflictMarker(uri, text);
  if (conflict !== undefined) return [conflict];
  const found = findPlaceholders(text);
  const unknown = found.filter(({ name }) => !known.includes(name));
  const missing = required.filter((name) => !found.some((each) => each.name === name));
  return [
    ...unknown.map(({ name, offset }) =>
      templateDiagnostics("unknown-placeholder", locate({ start: offset, end: offset + name.length + 4 }, ""), {
        name,
        nearest: findSuggestions(name, known).map((each) => `__${each}__`),
        known: known.map((each) => `__${each}__`),
      }),
    ),
    ...missing.map((name) => templateDiagnostics("missing-placeholder", start, { uri, name })),
  ];
}

const forms: { readonly [part in keyof StubTemplates]-?: { readonly path: string; readonly form: TemplateForm } } = {
  handler: {
    path: `${TEMPLATE_FOLDER}/stub/handler.ts`,
    form: {
      known: ["TOOL_NAME", "HANDLER_TYPE", "TOOL_MODULE", "DOCSTRING", "MESSAGE"],
      required: ["HANDLER_TYPE", "TOOL_MODULE"],
    },
  },
  customFunction: {
    path: `${TEMPLATE_FOLDER}/stub/custom-function.ts`,
    form: {
      known: ["TOOL_NAME", "HANDLER_TYPE", "FUNCTION_NAME", "DOCSTRING", "MESSAGE"],
      required: ["HANDLER_TYPE", "FUNCTION_NAME"],
    },
  },
};

export const stubTemplatePaths: readonly string[] = Object.values(forms).map(({ path }) => path);

/** Checks the templates of a project and drops invalid ones; `undefined` if none is left, for hasp's own. */
export function stubTemplates(sources: readonly SourceText[]): Found<StubTemplates | undefined> {
  const diagnostics: Diagnostic[] = [];
  const textOf = (part: keyof StubTemplates): string | undefined => {
    const { path, form } = forms[part];
    const source = sources.find(({ uri }) => uri === path);
    const found = source === undefined ? [] : checkTemplate(source, form);
    diagnostics.push(...found);
    return found.length === 0 ? source?.text : undefined;
  };
  const [handler, customFunction] = [textOf("handler"), textOf("customFunction")];
  const value = {
    ...dropUndefined({ handler, customFunction }),
  };
  return { value: Object.keys(value).length === 0 ? undefined : value, diagnostics };
}
