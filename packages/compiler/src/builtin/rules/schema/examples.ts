import { createValidator, type JsonValue, type ValidationError } from "@hasp/schema";
import { findDefaultFaults } from "@hasp/schema/internal";
import { once } from "@hasp/base/json";
import type { Location } from "@hasp/base/diagnostics";
import type { FlatTool, FlatSchema } from "../../../model/tool.js";
import { holds } from "../../../cel/index.js";
import { reporting, spec } from "../reading/example-spec.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";
import { withDefinitions, type SchemaNode } from "../../../model/schemas.js";

export const invalidOutputExample: Rule = defineRule({
  id: "schema/invalid-output-example",
  severity: "warning",
  summary: "Examples and defaults in an output schema match it.",
  why:
    "No model copies an example of an output, and no call fails because of it, so this is not an error: documents of large APIs are full of such " +
    "examples. Still, one of the two is wrong; if it is the schema, real results will be refused.",
  messages: {
    refused: "{what} does not match the output schema: {problem}",
  },
  examples: {
    bad: [
      reporting("refused")`
        name: get_invoice
        description: Get an invoice.
        input: { type: object, properties: {} }
        output: { type: object, properties: { total: { type: integer, examples: ["12.50"] } } }
      `,
    ],
    good: [
      spec`
        name: get_invoice
        description: Get an invoice.
        input: { type: object, properties: {} }
        output: { type: object, properties: { total: { type: string, examples: ["12.50"] } } }
      `,
    ],
  },
  visitTool(tool, { report }) {
    if (tool.output === undefined) return {};
    const refusedAt = createAnnotationCheck(tool.output, "output");
    return {
      output(node) {
        for (const { location, what, problem } of refusedAt(node)) report("refused", { location }, { what, problem });
      },
    };
  },
});

export const invalidExample: Rule = defineRule({
  id: "schema/invalid-example",
  severity: "error",
  summary: "The tool accepts every example and every default of its input.",
  why:
    "Models copy examples before they read schemas. An example that the tool refuses teaches them a call that fails, and costs a " +
    "turn each time; one that only a semantic check refuses does the same.",
  messages: {
    refused: "{what} does not match the tool's own schema: {problem}",
    "refused-by-check": 'This example fails the tool\'s own check "{message}".',
  },
  examples: {
    bad: [
      reporting("refused", "refused", "refused-by-check")`
        name: resize_image
        description: Resize an image.
        input:
          type: object
          required: [width, height]
          properties:
            width: { type: integer, minimum: 1, examples: [0] }
            height: { type: integer }
        validate: [{ that: input.width >= input.height, message: landscape only }]
        examples:
          - input: { width: wide, height: 1 }
          - input: { width: 1, height: 2 }
      `,
      reporting("refused")`
        name: list_files
        description: List files.
        input: { type: object, properties: { filter: { $ref: "#", default: {} } } }
      `,
    ],
    good: [
      spec`
        name: resize_image
        description: Resize an image.
        input:
          type: object
          required: [width]
          properties: { width: { type: integer, minimum: 1, examples: [640] }, fit: { enum: [cover, contain], default: cover } }
        examples: [{ input: { width: 1 } }]
      `,
    ],
  },
  visitTool(tool, { report }) {
    for (const finding of refusedExamples(tool)) {
      if (finding.kind === "schema") {
        report("refused", { location: finding.location }, { what: "This example", problem: finding.problem });
      } else report("refused-by-check", { location: finding.location }, { message: finding.problem });
    }
    const refusedAt = createAnnotationCheck(tool.input, "input");
    return {
      input(node) {
        for (const { location, what, problem } of refusedAt(node)) report("refused", { location }, { what, problem });
      },
    };
  },
});

interface RefusedExample {
  readonly kind: "schema" | "check";
  readonly location: Location;
  readonly problem: string;
}

function refusedExamples(tool: FlatTool): readonly RefusedExample[] {
  const { examples = [] } = tool.spec;
  if (examples.length === 0) return [];
  const validate = createValidator(tool.input.schema, { defaults: true });
  return examples.flatMap(({ input }, index): RefusedExample[] => {
    const { errors, value } = validate(input);
    const [error] = errors;
    if (error !== undefined) {
      const location = tool.locate(`/examples/${index}/input${error.pointer}`);
      return [{ kind: "schema", location, problem: error.message }];
    }
    const failed = tool.checks.find(({ that }) => that.kind === "expression" && !holds(that, value));
    if (failed === undefined) return [];
    return [{ kind: "check", location: tool.locate(`/examples/${index}/input`), problem: failed.message ?? "" }];
  });
}

interface Refused {
  readonly location: ReturnType<FlatSchema["locate"]>;
  readonly what: string;
  readonly problem: string;
}

/** Creates a check for values of `default` and `examples` that their own schema refuses. Calls fill defaults of inputs. */
export function createAnnotationCheck(
  flat: FlatSchema,
  part: "input" | "output",
): (node: SchemaNode) => readonly Refused[] {
  const findFaults = once(() => {
    const faults = findDefaultFaults(flat.schema, { fills: part === "input" });
    return new Map(faults.map(({ pointer, error }) => [pointer, error === undefined ? ENDLESS : printProblem(error)]));
  });
  return ({ schema, pointer }) => {
    const { default: preset, examples } = schema;
    const refused: Refused[] = [];
    const problem = preset === undefined ? undefined : findFaults().get(pointer);
    if (problem !== undefined) {
      refused.push({ location: flat.locate(`${pointer}/default`), what: "The default", problem });
    }
    if (!Array.isArray(examples) || examples.length === 0) return refused;
    const validate = createValidator(withDefinitions(schema, flat.schema));
    for (const [index, example] of (examples as readonly JsonValue[]).entries()) {
      const [error] = validate(example).errors;
      if (error === undefined) continue;
      const location = flat.locate(`${pointer}/examples/${index}`);
      refused.push({ location, what: "This example", problem: printProblem(error) });
    }
    return refused;
  };
}

const ENDLESS =
  "it fills itself without end, since what it leaves out gets this default again. Give it a value there, or remove it.";

function printProblem({ message }: ValidationError): string {
  return message.replace("; you sent ", "; it is ");
}
