import { apiReports } from "./api-report.js";
import { importInner } from "./import-built.js";
import { commandsPage } from "./commands-page.js";
import { defaultsTable } from "./defaults-table.js";
import { diagnosticsPages } from "./diagnostics-page.js";
import { dialectsPage } from "./dialects-page.js";
import { durableMeasurementsPage } from "./durable-measurements-page.js";
import { guaranteesPage } from "./guarantees-page.js";
import { looseningPage } from "./loosening-page.js";
import { loweringExamplesPage } from "./lowering-examples.js";
import { referencePages } from "./reference-pages.js";
import { runtimePage } from "./runtime-page.js";
import { realDocumentsPage } from "./real-documents-page.js";
import { rulesPage } from "./rules-page.js";

export async function pages() {
  const [{ toolSpecSchema }, { policySchema }, { compiledModelSchema }, { configSchemaForEditors }, { rules }] =
    await Promise.all([
      importInner("compiler", "spec/tool-spec-schema.ts"),
      importInner("compiler", "spec/policy-schema.ts"),
      importInner("compiler", "spec/compiled-model-schema.ts"),
      importInner("compiler", "spec/config-schema-for-editors.ts"),
      importInner("compiler", "builtin/rules/index.ts"),
    ]);
  const reference = "packages/hasp/docs/reference";
  return new Map([
    ["packages/hasp/schema/tool-spec.schema.json", `${JSON.stringify(toolSpecSchema, null, 2)}\n`],
    ["packages/hasp/schema/compiled-model.schema.json", `${JSON.stringify(compiledModelSchema, null, 2)}\n`],
    ["packages/hasp/schema/policy.schema.json", `${JSON.stringify(policySchema, null, 2)}\n`],
    ["packages/hasp/schema/hasp-config.schema.json", `${JSON.stringify(configSchemaForEditors(rules), null, 2)}\n`],
    ...(await referencePages()).map(([file, page]) => [`${reference}/${file}`, page]),
    [`${reference}/rules.md`, await rulesPage()],
    [`${reference}/dialects.md`, await dialectsPage()],
    ...(await diagnosticsPages()),
    [`${reference}/durable-measurements.md`, durableMeasurementsPage()],
    [`${reference}/guarantees.md`, guaranteesPage()],
    [`${reference}/real-documents.md`, realDocumentsPage()],
    [`${reference}/lowering-examples.md`, await loweringExamplesPage()],
    [`${reference}/commands.md`, await commandsPage()],
    [`${reference}/loosening.md`, await looseningPage()],
    [`${reference}/runtime.md`, await runtimePage()],
    ...(await apiReports()),
    ["packages/hasp/docs/fail-closed.md", await defaultsTable("packages/hasp/docs/fail-closed.md")],
  ]);
}
