import type { SchemaBinder } from "../../resolve/binder.js";
import { isStructured, appendToPointer } from "@hasp/base/json";
import type { SchemaNode } from "../../resolve/types.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { createCause, reportDeadPart, type Cause } from "../conjunction/diagnostics.js";
import { NameTests } from "../../patterns/linear-pattern.js";
import { keywordRow } from "../../vocabulary/keywords.js";
import { eachSubschema } from "../../vocabulary/walk-schema.js";

interface PartDeclaration {
  readonly first: SchemaNode;
  readonly name: string | undefined;
  readonly causes: readonly Cause[];
}

/** Remembers which declared properties and items can occur, and reports those that never can. */
export interface PartDeclarations {
  /** Records that what these nodes declare under a name (or as items) can occur, or the causes why it cannot. */
  declare(nodes: readonly SchemaNode[], name: string | undefined, causes: readonly Cause[] | undefined): void;
  /** Records that some node has branches, which have to be examined too. */
  expectBranches(): void;
  reportDead(): void;
  /** Reports dead properties in branches that were left side by side. */
  reportDeadInBranches(root: JsonSchema): void;
}

export function createPartDeclarations(
  binder: SchemaBinder,
  sitesOf: ReadonlyMap<object, readonly SchemaNode[]>,
): PartDeclarations {
  const dead = new Map<SchemaNode, PartDeclaration>();
  let hasBranches = false;

  function declarationOf(node: SchemaObject, name: string): SchemaNode | undefined {
    return sitesOf
      .get(node)
      ?.find(
        ({ value }) => isStructured(value) && "properties" in value && Object.hasOwn(Object(value.properties), name),
      );
  }

  /** Leaves out a property that another use of its schema can have. */
  function onlyDead(root: JsonSchema, found: readonly ImpossibleProperty[]): readonly ImpossibleProperty[] {
    const dead = new Map<string, ImpossibleProperty>();
    const deadNodes = new Map<SchemaObject, Set<string>>();
    const keyOf = (node: SchemaObject, name: string): string => `${declarationOf(node, name)?.id} ${name}`;
    for (const property of found) {
      const { declaring, name } = property;
      deadNodes.set(declaring, (deadNodes.get(declaring) ?? new Set()).add(name));
      dead.set(keyOf(declaring, name), property);
    }
    const forgetLiving = (value: unknown): void => {
      if (!isStructured(value)) return;
      if (sitesOf.has(value)) {
        const node = value as SchemaObject;
        for (const name of Object.keys(node.properties ?? {})) {
          if (!deadNodes.get(node)?.has(name)) dead.delete(keyOf(node, name));
        }
      }
      Object.values(value).forEach(forgetLiving);
    };
    forgetLiving(root);
    return [...dead.values()];
  }

  return {
    declare(nodes, name, causes) {
      const [first] = nodes;
      if (first === undefined) return;
      for (const node of nodes) {
        if (causes === undefined) node.alive = true;
        else if (!dead.has(node)) dead.set(node, { first, name, causes });
      }
    },
    expectBranches() {
      hasBranches = true;
    },
    reportDead() {
      for (const [node, { first, name, causes }] of dead) {
        // One finding for each name, even where several schemas declare it.
        if (node.alive || (first !== node && !first.alive)) continue;
        const origin = binder.origin(node);
        binder.report(reportDeadPart(name, origin, causes));
      }
    },
    reportDeadInBranches(root) {
      const found = hasBranches ? findDeadProperties(root) : [];
      for (const { name, declaring, forbidding } of found.length === 0 ? found : onlyDead(root, found)) {
        const declaration = declarationOf(declaring, name);
        if (declaration === undefined) continue;
        const { uri, pointer } = binder.origin(declaration);
        const [node] = forbidding;
        const cause = createCause(binder.origin((node && sitesOf.get(node)?.[0]) ?? declaration), {
          variant: "notAllowed",
          name,
        });
        binder.report(reportDeadPart(name, { uri, pointer: appendToPointer(`${pointer}/properties`, name) }, [cause]));
      }
    },
  };
}

/** A property that a branch and a closed schema around it (or the branches beside it) make impossible. */
interface ImpossibleProperty {
  readonly name: string;
  readonly declaring: SchemaObject;
  readonly forbidding: readonly SchemaObject[];
}

/** Finds declared properties that no value can have, in what merging leaves side by side. */
function findDeadProperties(root: JsonSchema): ImpossibleProperty[] {
  const dead: ImpossibleProperty[] = [];
  const tests = new NameTests();
  const visit = (schema: JsonSchema, around: readonly SchemaObject[]): void => {
    if (typeof schema === "boolean") return;
    for (const name of Object.keys(schema.properties ?? {})) {
      const forbidding = [
        ...around.filter((node) => forbids(node, name, tests)),
        ...forbiddingUnion(schema, name, tests),
      ];
      if (forbidding.length === 0 || schema.properties?.[name] === false) continue;
      dead.push({ name, declaring: schema, forbidding });
    }
    const inner = schema.additionalProperties === false ? [...around, schema] : around;
    eachSubschema(schema, (below, keyword) => {
      const row = keywordRow(keyword);
      if (row?.applies === "inPlace") visit(below, inner);
      // In a test or an annotation, a dead property is not a mistake.
      else if (row?.applies !== "test" && row?.role !== "annotation") visit(below, []);
    });
  };
  visit(root, []);
  return dead;
}

function forbids(
  { properties, patternProperties, additionalProperties }: SchemaObject,
  name: string,
  tests: NameTests,
): boolean {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name] === false;
  return (
    additionalProperties === false &&
    Object.keys(patternProperties ?? {}).every((pattern) => tests.matches(pattern, name) === false)
  );
}

function forbiddingUnion({ anyOf, oneOf }: SchemaObject, name: string, tests: NameTests): readonly SchemaObject[] {
  for (const branches of [anyOf, oneOf]) {
    const objects =
      branches?.filter((branch): branch is SchemaObject => typeof branch === "object" && mayHaveKeys(branch)) ?? [];
    if (objects.length > 0 && objects.every((branch) => forbids(branch, name, tests))) return objects;
  }
  return [];
}

function mayHaveKeys({ type }: SchemaObject): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}
