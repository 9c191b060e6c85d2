import { type ExpressionPredicate, givenInputs, proveCondition, type Sandbox } from "../../cel/index.js";
import type { ToolToEmit } from "../../emitters/base/emitter.js";
import { ReadCode, type ReadModule, type ReadValue } from "../../typescript/read-module.js";
import { expectedSpec, type ExpectedValue, Name } from "./expected-spec.js";
import { fault } from "./fault.js";

/** How conditions are proved. */
export interface ProofOptions {
  readonly sandbox: Sandbox;
  /** Most inputs for which one condition is run. */
  readonly inputsPerCondition: number;
  /** Whether to hold a tool's codecs against those of its forms, which lowers them. */
  readonly dialects: boolean;
}

/** The module from which generated code imports. */
const CODEGEN = "@hasp/runtime/codegen/v1";

/**
 * Proves that the spec constant of a tool's module says what the model says: each text, each row of the table, each
 * codec. A condition is parsed as the JavaScript that it is, read back as an expression and run.
 */
export function proveSpec(emitted: ToolToEmit, module: ReadModule, options: ProofOptions): void {
  const { tool, names } = emitted;
  const constant = `${names.camel}Spec`;
  const written = module.constant(constant);
  if (typeof written !== "object" || written === null) fault(module.path, `"${constant}" cannot be read`);
  prove(options.dialects ? written : withoutDialects(written), expectedSpec(emitted, options), constant);

  function prove(found: ReadValue | undefined, expected: ExpectedValue | undefined, place: string): void {
    if (expected instanceof Name) {
      if (!(found instanceof ReadCode) || found.text !== expected.name) differs(place);
    } else if (Array.isArray(expected)) {
      if (!Array.isArray(found) || found.length !== expected.length) differs(place);
      for (const [index, each] of expected.entries()) prove(found[index], each as ExpectedValue, `${place}[${index}]`);
    } else if (isCondition(expected)) {
      proveOne(found, expected, place);
    } else if (typeof expected === "object" && expected !== null) {
      proveObject(found, expected as { readonly [key: string]: ExpectedValue | undefined }, place);
    } else if (!Object.is(found, expected)) {
      differs(place);
    }
  }

  function proveObject(
    found: ReadValue | undefined,
    expected: { readonly [key: string]: ExpectedValue | undefined },
    place: string,
  ): void {
    if (typeof found !== "object" || found === null || found instanceof ReadCode || Array.isArray(found)) {
      differs(place);
    }
    const entries = Object.entries(expected).filter(([, value]) => value !== undefined);
    for (const [key, value] of entries) {
      prove(Object.hasOwn(found, key) ? (Reflect.get(found, key) as ReadValue) : undefined, value, `${place}.${key}`);
    }
    if (Object.keys(found).length !== entries.length) differs(place);
  }

  function proveOne(found: ReadValue | undefined, predicate: ExpressionPredicate, place: string): void {
    if (!(found instanceof ReadCode)) differs(place);
    const proof = proveCondition(found, {
      predicate,
      input: tool.input.schema,
      given: givenInputs(tool),
      sandbox: options.sandbox,
      limit: options.inputsPerCondition,
    });
    if ("fault" in proof) {
      fault(
        module.path,
        `${place} of ${tool.name}, "${found.text}", ${proof.fault}; the spec says "${predicate.source}"`,
      );
    }
    for (const helper of proof.helpers) {
      const imported = module.imports.get(helper);
      if (imported?.from !== CODEGEN || imported.name !== helper) {
        fault(module.path, `${helper} is not imported from ${CODEGEN}`);
      }
      if (module.names.includes(helper)) fault(module.path, `${helper} is also a constant`);
    }
  }

  function differs(place: string): never {
    return fault(module.path, `${place} reads otherwise than the model of ${tool.name}`);
  }
}

function withoutDialects(spec: object): ReadValue {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => key !== "dialects"));
}

function isCondition(value: ExpectedValue | undefined): value is ExpressionPredicate {
  return typeof value === "object" && value !== null && "evaluate" in value && typeof value.evaluate === "function";
}
