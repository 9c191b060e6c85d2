import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { growth, measureProcess, printTable } from "./measure.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");

/** `hasp import openapi` of documents with ever more operations, as JSON and as YAML, each in a fresh process. */
export default function run() {
  const rows = [];
  const firsts = [];
  for (const count of [100, 1000]) {
    for (const form of ["json", "yaml"]) {
      const folder = mkdtempSync(join(tmpdir(), "hasp-bench-openapi-"));
      const document = openapiOf(count);
      const file = `api.${form}`;
      writeFileSync(
        join(folder, file),
        form === "json"
          ? JSON.stringify(document, undefined, 2)
          : stringify(document, { aliasDuplicateObjects: false }),
      );
      const clean = () => rmSync(join(folder, "specs"), { recursive: true, force: true });
      const words = [hasp, "import", "openapi", file, "--quiet"];
      const first = measureProcess(words, { cwd: folder, runs: 5, before: clean });
      const again = measureProcess([...words, "--check"], { cwd: folder, runs: 5 });
      if (form === "json") firsts.push({ size: count, value: first.milliseconds });
      for (const [name, figure] of [
        ["import", first],
        ["import --check", again],
      ]) {
        rows.push([
          `${count} operations as ${form}: ${name}`,
          figure.milliseconds.toFixed(0),
          figure.megabytes.toFixed(0),
        ]);
      }
      rmSync(folder, { recursive: true });
    }
  }
  printTable("hasp import openapi", ["", "ms", "MB"], rows);
  process.stdout.write(`growth of an import from 100 to 1000 operations: n^${growth(...firsts).toFixed(2)}\n`);
}

/** A document of one resource for every five operations, its schemas shared and described as real ones are. */
function openapiOf(count) {
  const paths = {};
  const schemas = {
    Error: {
      type: "object",
      required: ["message"],
      properties: { message: { type: "string" }, code: { type: "integer" } },
    },
  };
  for (let index = 0; index < count / 5; index += 1) {
    const name = `Thing${index}`;
    const reference = { $ref: `#/components/schemas/${name}` };
    const answer = { description: "Done.", content: { "application/json": { schema: reference } } };
    const body = { required: true, content: { "application/json": { schema: reference } } };
    schemas[name] = schemaOf(index);
    paths[`/things-${index}`] = {
      get: operationOf(
        `list${name}s`,
        [
          parameterOf("limit", "query", { type: "integer", minimum: 1, maximum: 100, default: 20 }),
          parameterOf("cursor", "query", { type: "string", nullable: true }),
        ],
        answer,
      ),
      post: { ...operationOf(`create${name}`, [], answer), requestBody: body },
    };
    const id = [parameterOf("id", "path", { type: "string", format: "uuid" })];
    paths[`/things-${index}/{id}`] = {
      get: operationOf(`get${name}`, id, answer),
      put: { ...operationOf(`replace${name}`, id, answer), requestBody: body },
      delete: operationOf(`delete${name}`, id, { description: "Gone." }),
    };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Bench", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths,
    components: { schemas },
  };
}

function operationOf(operationId, parameters, answer) {
  return {
    operationId,
    summary: `Does ${operationId}`,
    description: `Does ${operationId} for the account that calls. Use it when the id is known. Do not use it to search, for which there is a list with a cursor.`,
    tags: ["things"],
    parameters,
    responses: {
      200: answer,
      default: {
        description: "An error.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const parameterOf = (name, place, schema) => ({
  name,
  in: place,
  required: place === "path",
  description: `The ${name} of what is asked for.`,
  schema,
});

function schemaOf(index) {
  const fields = Array.from({ length: 12 }, (_, field) => [
    `field${field}`,
    field % 4 === 0
      ? { type: "string", maxLength: 200, nullable: true, description: `Field ${field} of it.` }
      : field % 4 === 1
        ? { type: "integer", minimum: 0, exclusiveMinimum: true }
        : field % 4 === 2
          ? { type: "string", enum: ["a", "b", "c"] }
          : { type: "array", items: { type: "string" }, maxItems: 10 },
  ]);
  return {
    type: "object",
    required: ["id", "field1"],
    properties: {
      id: { type: "string", readOnly: true },
      ...Object.fromEntries(fields),
      ...(index > 0 ? { previous: { $ref: `#/components/schemas/Thing${index - 1}` } } : {}),
    },
  };
}
