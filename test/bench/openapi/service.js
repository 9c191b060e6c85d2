// A service made from an OpenAPI document: validates every request, answers by the document. A process of its own.
//   node service.js <document.json>    prints its port; answers what it refuses with the validator's reasons
import { readFileSync } from "node:fs";
import express from "express";
import { middleware } from "express-openapi-validator";
import { sample } from "openapi-sampler";
import { layersOf } from "./served-document.js";

const text = readFileSync(process.argv[2], "utf8");
const document = JSON.parse(text, (key, value) => {
  // The validator takes "nullable" only beside a type.
  if (value?.nullable !== undefined && value.type === undefined) delete value.nullable;
  // It puts in defaults, and then refuses them where they are read-only.
  if (value?.readOnly === true) delete value.default;
  // It compiles patterns with the u flag, which refuses needless backslashes.
  if (key === "pattern" && typeof value === "string") return value.replaceAll(/\\([:@#%&"'<>=!~,;_ ])/gu, "$1");
  return value;
});
const app = express();
app.set("query parser", "extended");
app.use(express.json({ type: ["*/json", "*/*+json"], strict: false, limit: "10mb" }));
app.use(express.urlencoded({ extended: true, depth: 20, parameterLimit: 10_000 }));
app.use(express.text({ type: "text/*" }));
app.use(express.raw({ type: (request) => !/json|form|text|multipart/u.test(request.headers["content-type"] ?? "") }));
const validate = (apiSpec, coerceTypes) => {
  const router = express.Router();
  router.use(
    middleware({
      apiSpec: structuredClone(apiSpec),
      validateApiSpec: false,
      validateRequests: { coerceTypes },
      validateResponses: false,
      fileUploader: { limits: { fileSize: 1_000_000 } },
    }),
  );
  return router;
};
const isForm = (request) => /form/u.test(request.headers["content-type"] ?? "");
const hasForms = /x-www-form-urlencoded|form-data/u.test(text);
const layers = layersOf(document).map((layer) => ({
  exact: validate(layer, false),
  // Everything in a form is text; what it means, the schema says.
  coercing: hasForms ? validate(layer, "array") : undefined,
}));
// Of operations that no request tells apart, one must accept it.
app.use((request, response, next) => {
  const tryLayer = (index, reason) => {
    const layer = layers[index];
    if (layer === undefined) return next(reason);
    delete request.openapi;
    const validator = isForm(request) && layer.coercing ? layer.coercing : layer.exact;
    validator(request, response, (error) => (error ? tryLayer(index + 1, reason ?? error) : next()));
  };
  tryLayer(0);
});
app.use((request, response) => {
  const { status, type, body } = answerTo(request.openapi?.schema);
  response.status(status);
  if (type === undefined) response.end();
  else response.type(type).send(typeof body === "string" && !/json/u.test(type) ? body : JSON.stringify(body ?? null));
});
app.use((error, request, response, _next) => {
  response
    .status(error.status ?? 500)
    .json({ refused: error.message, path: request.path, ...(error.status === undefined && { stack: error.stack }) });
});
const server = app.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));

function answerTo(operation) {
  const entries = Object.entries(operation?.responses ?? {});
  const [code, response] = entries.find(([status]) => status.startsWith("2")) ?? ["200", undefined];
  const status = Number(code.replaceAll(/x/giu, "0"));
  const [type, media] = Object.entries(response?.content ?? {})[0] ?? [];
  if (type === undefined || status === 204) return { status };
  try {
    return {
      status,
      type: type.replaceAll("*", "x"),
      body: sample(media.schema ?? {}, { quiet: true, maxSampleDepth: 6 }, document),
    };
  } catch {
    return { status, type, body: {} };
  }
}
