import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "not-found": {
    fixed: true,
    message: 'There is no plugin "{module}": {reason}.',
    help: "A plugin is a file inside the project, such as ./hasp-plugins/owner.ts, or an installed package.",
  },
  invalid: { fixed: true, message: 'The plugin "{module}" cannot be used: {problem}', help: "{remedy:optional}" },
  failed: {
    fixed: true,
    message: 'The plugin "{plugin}" failed in {part}: {reason}. Nothing it adds can be trusted, so nothing is written.',
    help: "Fix the plugin, or remove it from `plugins`.",
  },
  "wrong-answer": {
    fixed: true,
    message: 'The plugin "{plugin}" answered wrongly in {part}: {problem}',
    help: "Fix the plugin, or remove it from `plugins`.",
  },
  "not-run": {
    fixed: true,
    message: "The configuration names plugins, but they were not run.",
    help: "Pass `plugins` of `readProject` to `compile`.",
  },
} as const;

export const pluginDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("plugin", definitions);
