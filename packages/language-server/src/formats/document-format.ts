import type { JsonObject } from "@hasp/schema";
import { CONFIG_NAMES } from "../../../project/src/read/config-names.js";
import { SPEC_FILE } from "../../../project/src/read/spec-names.js";
import { LEDGER_FOLDER } from "../../../compiler/src/ledger/ledger-file.js";
import type { SourceRole } from "../../../compiler/src/model/document.js";
import { once } from "../../../compiler/src/model/once.js";
import { rules } from "../../../compiler/src/builtin/rules/index.js";
import { configSchemaForEditors } from "../../../compiler/src/spec/config-schema-for-editors.js";
import { ledgerSchema } from "../../../compiler/src/spec/ledger-schema.js";
import { policySchema } from "../../../compiler/src/spec/policy-schema.js";
import { toolSpecSchema } from "../../../compiler/src/spec/tool-spec-schema.js";
import type { LanguageProject } from "../model/language-project.js";

/** Returns the role of a file; a file that only references lead to is `shared`. */
export function roleOf(uri: string, { compiled }: LanguageProject): SourceRole {
  if (SPEC_FILE.test(uri)) return "spec";
  if (uri.startsWith(`${LEDGER_FOLDER}/`)) return "ledger";
  if ((CONFIG_NAMES as readonly string[]).includes(uri)) return "config";
  return compiled?.plan.toolsets.some(({ policy }) => policy === uri) === true ? "policy" : "shared";
}

const SCHEMAS: { readonly [role in SourceRole]: () => JsonObject } = {
  spec: () => toolSpecSchema,
  policy: () => policySchema,
  ledger: () => ledgerSchema,
  config: once(() => configSchemaForEditors(rules)),
  // A file of definitions, in which any key may hold schemas.
  shared: once(() => ({
    $ref: "#/$defs/SharedFile",
    $defs: {
      ...(toolSpecSchema["$defs"] as JsonObject),
      SharedFile: {
        type: "object",
        properties: { $defs: { description: "The definitions that specs refer to.", $ref: "#/$defs/Definitions" } },
        additionalProperties: { $ref: "#/$defs/Definitions" },
      },
      Definitions: { type: "object", additionalProperties: { $ref: "#/$defs/JsonSchema" } },
    },
  })),
};

/** Returns a file's format as a JSON Schema with descriptions. */
export function formatOf(role: SourceRole): JsonObject {
  return SCHEMAS[role]();
}
