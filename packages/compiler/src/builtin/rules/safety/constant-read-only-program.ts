import { yaml } from "../reading/example-spec.js";
import { listProgramFields } from "../reading/program-fields.js";
import { defineRule, type Rule } from "../../../plugins/rule.js";

export const constantReadOnlyProgram: Rule = defineRule({
  id: "safety/constant-read-only-program",
  severity: "warning",
  summary: "A tool that runs programs is READ_ONLY for every input only if it says how that is enforced.",
  why:
    "The model writes the program and so decides what it does. A constant READ_ONLY lets it run in parallel, " +
    "be retried and count as harmless, so something outside the input must enforce it: a read-only transaction, a read-only role, a sandbox.",
  messages: {
    "runs-anything":
      '"{field}" is a program that the model writes, and {claim} applies to all of them. Enforce it in the handler and say so with hasp-ignore and a reason, or decide by the input in rules.',
  },
  examples: {
    bad: [
      {
        spec: yaml`
          hasp: 1
          name: query_database
          description: Run one SQL statement against the database.
          input:
            type: object
            required: [sql]
            properties: { sql: { type: string, description: The statement. } }
          concurrency: { class: READ_ONLY }
        `,
        reports: ["runs-anything"],
      },
    ],
    good: [
      yaml`
        hasp: 1
        name: query_database
        description: Run one SQL statement against the database.
        input:
          type: object
          required: [sql]
          properties: { sql: { type: string, description: The statement. } }
        # hasp-ignore safety/constant-read-only-program -- the handler's role may only select, in a READ ONLY transaction
        concurrency: { class: READ_ONLY }
      `,
      yaml`
        hasp: 1
        name: search_documents
        description: Search documents by keywords.
        input: { type: object, required: [query], properties: { query: { type: string, description: Words to search for. } } }
        concurrency: { class: READ_ONLY }
      `,
    ],
  },
  checkTool(tool, { report }) {
    const { spec } = tool;
    const claim =
      spec.concurrency?.class === "READ_ONLY"
        ? ({ words: "class: READ_ONLY", pointer: "/concurrency/class" } as const)
        : spec.behavior?.isReadOnly === true
          ? ({ words: "isReadOnly: true", pointer: "/behavior/isReadOnly" } as const)
          : undefined;
    if (claim === undefined) return;
    const [field] = listProgramFields(tool, "likely");
    if (field === undefined) return;
    const related = [{ location: tool.input.locate(field.pointer, "key"), message: "the program" }];
    report(
      "runs-anything",
      { location: tool.locate(claim.pointer), related },
      { field: field.name, claim: claim.words },
    );
  },
});
