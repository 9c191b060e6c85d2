import { closed } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";
import { handlerKindNames } from "./handlers/index.js";

/** The format of ledger files as a JSON Schema, for editors. `ledger/ledger-file.ts` reads them. */
export const ledgerSchema: JsonObject = {
  title: "hasp ledger",
  description: "The approved claims of one tool or policy. `hasp approve` writes it.",
  $ref: "#/$defs/Ledger",
  $defs: {
    Ledger: closed({
      required: ["approved"],
      properties: {
        approved: {
          description: "The approved claims, one entry each.",
          type: "array",
          items: { $ref: "#/$defs/Entry" },
        },
      },
    }),
    Entry: closed({
      required: ["claim", "reason", "covers"],
      properties: {
        claim: { description: "The claim, as the finding names it.", type: "string" },
        reason: { description: "Why the claim is safe, in the reviewer's words.", type: "string" },
        contradicts: {
          description: "The kind of the declared handler that contradicts the claim, which was approved all the same.",
          enum: [...handlerKindNames],
        },
        expires: { description: "The last day of the approval, such as 2027-01-31.", type: "string" },
        by: { description: "Who approved the claim.", type: "string" },
        on: { description: "The day of the approval.", type: "string" },
        covers: {
          description: "Digest of what was reviewed. Where it differs, the approval no longer holds.",
          type: "string",
        },
        input: {
          description: "The covered input. While the tool accepts no more than this, the approval still holds.",
          type: "string",
        },
      },
    }),
  },
};
