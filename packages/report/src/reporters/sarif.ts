import { dropUndefined } from "@hasp/base/json";
import { VERSION } from "@hasp/runtime/contract";
import { type RuleFacts, findingPhases, groupName, RULE_GROUPS } from "@hasp/compiler/model";
import {
  capitalize,
  type Diagnostic,
  type Location,
  printVisibleJson,
  printVisibleLines,
} from "@hasp/base/diagnostics";
import type { Report, ReportFormat, ReportView } from "./report.js";
import { createHash } from "node:crypto";

interface SarifRule {
  readonly id: string;
  readonly name?: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription?: { readonly text: string };
  readonly helpUri?: string;
  readonly help: { readonly text: string; readonly markdown?: string };
  readonly defaultConfiguration?: { readonly level: "error" | "warning" | "note"; readonly enabled?: boolean };
  readonly properties?: { readonly tags: readonly string[] };
}

const DOCS = `https://unpkg.com/hasp@${VERSION}/docs/reference`;

const SARIF_LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** Describes a finding's code: a rule with its reason and examples, another finding with a pointer to them. */
function sarifRule(code: string, rules: readonly RuleFacts[] = []): SarifRule {
  const way = `hasp show ${code}`;
  const rule = rules.find(({ id }) => id === code);
  if (rule === undefined) {
    const phase = groupName({ id: code });
    const page = findingPhases.has(phase) ? { helpUri: `${DOCS}/diagnostics/${phase}.md` } : {};
    return { id: code, shortDescription: { text: code }, ...page, help: { text: `Run: ${way}` } };
  }
  const [bad] = rule.examples.bad;
  const [first] = rule.examples.good;
  const good = typeof first === "object" ? first.spec : first;
  const example = (title: string, spec: string | undefined): string =>
    spec === undefined ? "" : `\n\n${title}\n\n\`\`\`yaml\n${spec.trim()}\n\`\`\``;
  return {
    id: code,
    name: nameOf(code),
    shortDescription: { text: rule.summary },
    fullDescription: { text: rule.why },
    // A rule of the project has no page.
    ...(RULE_GROUPS.some((group) => group === groupName(rule)) && {
      helpUri: `${DOCS}/rules.md#${code.replace("/", "")}`,
    }),
    help: {
      text: `${rule.why}\n\nRun: ${way}`,
      markdown: `${rule.why}${example("Refused:", bad?.spec)}${example("Accepted:", good)}`,
    },
    defaultConfiguration:
      rule.severity === "off" ? { level: "warning", enabled: false } : { level: SARIF_LEVELS[rule.severity] },
    properties: { tags: [groupName(rule)] },
  };
}

/** Converts `naming/vague-name` to `VagueName`, as SARIF's readers expect. */
function nameOf(code: string): string {
  return code
    .slice(code.indexOf("/") + 1)
    .split("-")
    .map((word) => capitalize(word))
    .join("");
}

/** The starting folder, or GitHub's checkout, so that a log means the same on every machine. */
const BASE = "%SRCROOT%";

/** SARIF 2.1.0 (OASIS, 27 March 2020), for code-scanning services. */
export const sarif: ReportFormat = {
  describesRules: true,
  start: /^\{\s*"\$schema":\s*"[^"]*sarif/u,
  hasCheckoutPaths: true,
  print,
};

function print({ diagnostics, ...report }: Report, { prefix, showsNotes }: ReportView): string {
  const shown = showsNotes ? diagnostics : diagnostics.filter(({ severity }) => severity !== "info");
  const codes = [...new Set(shown.map(({ code }) => code))].toSorted();
  const fingerprints = computeFingerprints(shown);
  const placed = (location: Location | undefined): { readonly physicalLocation: unknown } => ({
    physicalLocation: physicalLocation(location, prefix),
  });
  const result = (
    { code, severity, message, help, location, data, related = [] }: Diagnostic,
    index: number,
  ): unknown => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: SARIF_LEVELS[severity],
    message: { text: plain(help === undefined ? message : `${message}\n${help}`) },
    locations: [placed(location)],
    partialFingerprints: { "haspPlace/v1": fingerprints[index] },
    ...dropUndefined({ properties: data }),
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((each) => ({
            ...placed(each.location),
            message: { text: plain(each.message) },
          })),
        }),
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "hasp",
            version: VERSION,
            informationUri: "https://www.npmjs.com/package/hasp",
            rules: codes.map((code) => sarifRule(code, report.rules)),
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: {
          [BASE]: {
            description: { text: "The folder in which hasp was started, or the checkout where GitHub runs it." },
          },
        },
        invocations: [{ executionSuccessful: report.couldNotCheck !== true }],
        results: shown.map(result),
      },
    ],
  };
  return printVisibleJson(log);
}

/** Escapes links, `[text](target)` in SARIF (§3.11.6). */
function plain(text: string): string {
  return printVisibleLines(text).replaceAll("](", "] (");
}

/** Falls back to the project's folder: services refuse a whole log for one result without a place. */
function physicalLocation(location: Location | undefined, prefix: string): unknown {
  if (location === undefined) {
    return { artifactLocation: { uri: prefix === "" ? "./" : encoded(prefix), uriBaseId: BASE } };
  }
  const { uri, range } = location;
  return {
    artifactLocation: { uri: encoded(prefix + uri), uriBaseId: BASE },
    region: {
      startLine: range.start.line,
      startColumn: range.start.column,
      endLine: range.end.line,
      endColumn: range.end.column,
    },
  };
}

function encoded(path: string): string {
  // Half of a surrogate pair has no percent-encoding; use the replacement character.
  const whole = path.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return whole.split("/").map(encodeURIComponent).join("/");
}

/**
 * Returns stable fingerprints: from the code, the tool and the JSON Pointer, since lines and words change. Numbers
 * findings that share all of these.
 */
function computeFingerprints(diagnostics: readonly Diagnostic[]): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(({ code, tool, location, message }) => {
    // A finding without a place has only its words.
    const position = location === undefined ? message : `${location.uri}#${location.pointer}`;
    const identity = JSON.stringify([code, tool ?? "", position]);
    const order = seen.get(identity) ?? 0;
    seen.set(identity, order + 1);
    return createHash("sha256").update(`${identity} ${order}`).digest("hex").slice(0, 32);
  });
}
