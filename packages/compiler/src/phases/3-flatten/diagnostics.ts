import { predicateDefinition } from "../../cel/check/messages.js";
import { grammarDefinition } from "../../free-text/problem.js";
import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const ownDefinitions = {
  "input-not-object": {
    message: "The input schema must declare an object: models send an object of named arguments.",
    help: "Write `type: object` and `properties`; for a union, write them in each branch. `type: string` makes a free-text tool.",
  },
  "bound-text": "`bind` cannot fill in `text`: it is what the model writes.",
  "grammar-unbounded": {
    severity: "info",
    message: "This part of the grammar takes any characters, however many, which makes models drift.",
    help: "Say which characters may stand here, and how many at most.",
  },
  "unknown-placeholder": '"{placeholder}" is not an input field, so it would print nothing.{nearest:suggestion}',
  "describes-no-context": {
    message: "`visibility.describe` reads nothing, so the description could not vary.",
    help: "Name the members of the context that it reads as `needs.context`.",
  },
  "bound-in-condition":
    'The input cannot hide "{name}", which `bind` fills in: a condition or a recursive part of the schema depends on it. Take it out of the schema.',
  "bound-in-open-input": {
    message: 'A model could send "{name}", which `bind` fills in: the input accepts keys that it does not declare.',
    help: "Declare the keys that models may send, and leave `additionalProperties` out.",
  },
} as const;

const definitions: typeof ownDefinitions & {
  readonly predicate: typeof predicateDefinition;
  readonly grammar: typeof grammarDefinition;
} = {
  ...ownDefinitions,
  predicate: predicateDefinition,
  grammar: grammarDefinition,
};

export const flattenDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("flatten", definitions);
