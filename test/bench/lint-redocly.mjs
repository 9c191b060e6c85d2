// Copied beside the installed package and run there: lints one document with the recommended rules, as its own command
// line does.
import { createConfig, lint } from "@redocly/openapi-core";

const problems = await lint({ ref: process.argv[2], config: await createConfig({ extends: ["recommended"] }) });
process.stdout.write(
  `${JSON.stringify(problems.map(({ ruleId, severity, message }) => ({ ruleId, severity, message })))}\n`,
);
process.exitCode = problems.some(({ severity }) => severity === "error") ? 1 : 0;
