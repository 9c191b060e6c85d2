import { expect, test } from "vitest";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { chooseExitCode, findFailureReason } from "./command.js";

const finding = (code: string, severity: Diagnostic["severity"]): Diagnostic => ({ code, severity, message: code });
const note = finding("naming/a", "info");
const warning = finding("safety/b", "warning");
const error = finding("schema/c", "error");

test("errors fail; what else fails is asked for", () => {
  expect(chooseExitCode({ diagnostics: [note, warning] }, {})).toBe(0);
  expect(chooseExitCode({ diagnostics: [note, error] }, {})).toBe(1);
  expect(chooseExitCode({ diagnostics: [note] }, { failOn: ["warning"] })).toBe(0);
  expect(chooseExitCode({ diagnostics: [note] }, { failOn: ["info"] })).toBe(1);
  expect(chooseExitCode({ diagnostics: [warning] }, { failOn: ["info"] })).toBe(1);
  expect(chooseExitCode({ diagnostics: [note, warning] }, { failOn: ["naming"] })).toBe(1);
  expect(chooseExitCode({ diagnostics: [warning] }, { failOn: ["naming", "schema"] })).toBe(0);
  expect(chooseExitCode({ diagnostics: [warning, warning] }, { maxWarnings: 1 })).toBe(1);
  expect(chooseExitCode({ diagnostics: [warning] }, { maxWarnings: 1 })).toBe(0);
});

test("exits with 2 if something could not be checked, whatever else was found", () => {
  expect(chooseExitCode({ diagnostics: [], state: "unchecked" }, {})).toBe(2);
  expect(chooseExitCode({ diagnostics: [error, finding("check/rule-crashed", "error")] }, {})).toBe(2);
  // Checking nothing proves nothing; beside other errors it is one of them.
  expect(chooseExitCode({ diagnostics: [finding("resolve/no-tools", "error"), warning] }, {})).toBe(2);
  expect(chooseExitCode({ diagnostics: [finding("resolve/no-tools", "error"), error] }, {})).toBe(1);
});

test("a failure without an error says why", () => {
  expect(findFailureReason([error, warning], { maxWarnings: 0 })).toBeUndefined();
  expect(findFailureReason([warning], { maxWarnings: 1 })).toBeUndefined();
  expect(findFailureReason([warning], { maxWarnings: 0 })).toBe("Failed: 1 warning, and --max-warnings allows 0.");
  expect(findFailureReason([warning, note], { failOn: ["safety", "naming"] })).toBe(
    "Failed: 2 findings matched by --fail-on safety --fail-on naming.",
  );
});
