import type { JsonSchema } from "@hasp/schema";
import type { PolicyModel, PolicyRule } from "@hasp/compiler/model";
import {
  code,
  type Code,
  type Data,
  printDocComment,
  importStatement,
  name,
  printObjectLiteral,
  markAsCode,
} from "@hasp/compiler/code";
import { typeCode } from "../typescript/type-node.js";
import { typeOfBody } from "../typescript/type-of-schema.js";
import type { BuildToEmit, Emitter } from "./base/emitter.js";
import { printModule } from "./base/module-text.js";
import { importContextType, printContextType } from "./module-parts/handler-type.js";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";

export const policyConstant = "policy";

/** One module per policy: rules with their conditions as functions, for `createPermissions`. */
export const policyModules: Emitter<null> = {
  name: "policy-modules",
  part: () => null,
  files: (build) =>
    build.policies.map((policy) => ({
      path: build.layout.policy(policy.toolset),
      owner: "hasp",
      code: policyCode(policy, build),
    })),
};

function policyCode(policy: PolicyModel, { layout, plan: { context } }: BuildToEmit): Code {
  const { document, spec, rules, toolset } = policy;
  const helpers = [...new Set(rules.flatMap(({ predicate }) => predicate?.helpers ?? []))].toSorted();
  const hasContext = context !== undefined && Object.keys(spec.context ?? {}).length > 0;
  const imports = [
    importStatement(
      [{ name: "PermissionPolicy", isType: true }, ...helpers.map((helper) => ({ name: helper }))],
      CODEGEN_ENTRIES.runtime,
    ),
    ...(hasContext ? [importContextType(context, layout.importPath(layout.policy(toolset), context.file))] : []),
  ];
  return printModule(document.uri, imports, [
    ...(spec.context === undefined
      ? []
      : [contextType(policy.context, hasContext ? printContextType(context) : undefined)]),
    code`${printDocComment([
      `What becomes of the calls of the toolset \`${toolset}\`. Pass it to \`createPermissions\`.`,
      ...(spec.description === undefined ? [] : [spec.description]),
    ])}export const ${name(policyConstant)}: PermissionPolicy = ${printObjectLiteral(printPolicyEntries(policy))};`,
  ]);
}

/** Prints the type of the fields that conditions read. The project's context type must have them. */
function contextType(schema: JsonSchema, own: Code | undefined): Code {
  const fields = typeCode(typeOfBody(schema, { isFilled: true, isOpenByNature: true, nameOf: () => undefined }));
  const comment = printDocComment(["The fields of a call's context that the policy's conditions read."]);
  return own === undefined
    ? code`${comment}export type PolicyContext = ${fields};`
    : code`${comment}export type PolicyContext<Own extends ${fields} = ${own}> = Own;`;
}

function printPolicyEntries({ spec, rules }: PolicyModel): { readonly [key: string]: Data | undefined } {
  return {
    deny: spec.deny,
    rules: rules.length === 0 ? undefined : rules.map(ruleEntries),
    mode: spec.mode,
  };
}

function ruleEntries({ tool, server, predicate, decision, reason, flow }: PolicyRule): Data {
  return {
    tool,
    server,
    when: predicate && printCondition(predicate),
    decision,
    reason,
    flow,
  };
}

function printCondition({ reads, javascript }: NonNullable<PolicyRule["predicate"]>): Code {
  const isConstant = reads.length === 0 && !/\bcall\b/u.test(javascript);
  return code`${isConstant ? code`()` : code`(_, call)`} => ${markAsCode(javascript)}`;
}
