import { wrapForOpenaiChat } from "../definition/wire-entries.js";
import { defineDialect } from "../definition/define-dialect.js";
import type { Dialect, Provenance } from "../definition/dialect.js";

export const mistral: Dialect = defineDialect({
  id: "mistral",
  family: "mistral",
  title: "Mistral's API.",
  entry: { type: "OpenAIChatTool", use: "`tools` of Mistral's chat API" },
  confidence: "unverified",
  wrap: wrapForOpenaiChat,
});

export const provenance: Provenance = {
  sources: [
    "@mistralai/mistralai@2.7.0 src/models/components/function.ts",
    "Kochava-Studios/witsy#164",
    "nearai/ironclaw#1241",
    "BerriAI/litellm#13389",
    "editor-code-assistant/eca#231",
  ],
  checkedOn: "2026-11-20",
  notes: [
    "$id and $schema are refused; flattening leaves neither.",
    "What strict: true demands is not published; it is never asked for.",
  ],
};
