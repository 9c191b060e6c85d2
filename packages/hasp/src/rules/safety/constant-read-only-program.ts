import { yaml } from "../reading/example-spec.js";
import { programFieldsOf } from "../reading/program-fields.js";
import { defineRule, type Rule } from "../rule.js";

export const constantReadOnlyProgram: Rule = defineRule({
  id: "safety/constant-read-only-program",
  group: "safety",
  severity: "warning",
  summary: "A tool that runs a program must not be READ_ONLY for every input without saying how that is held.",
  why:
    "What a program does is decided by whoever writes it, here the model. A constant READ_ONLY lets it run beside other calls, " +
    "be retried and pass as harmless, so something outside the input must hold it: a read-only transaction, a read-only role, a sandbox.",
  messages: {
    "runs-anything":
      '"{field}" is a program that the model writes, and {claim} holds for all of them. Make the handler enforce it and say so (hasp-ignore with the reason), or let rules decide by the input.',
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
  check({ tools }, report) {
    for (const tool of tools) {
      const { spec } = tool;
      const claim =
        spec.concurrency?.class === "READ_ONLY"
          ? ({ words: "class: READ_ONLY", pointer: "/concurrency/class" } as const)
          : spec.behavior?.isReadOnly === true
            ? ({ words: "isReadOnly: true", pointer: "/behavior/isReadOnly" } as const)
            : undefined;
      if (claim === undefined) continue;
      const [field] = programFieldsOf(tool, "likely");
      if (field === undefined) continue;
      const related = [{ location: tool.input.locate(field.pointer, "key"), message: "the program" }];
      report(
        "runs-anything",
        { tool, location: tool.locate(claim.pointer), related },
        { field: field.name, claim: claim.words },
      );
    }
  },
});
