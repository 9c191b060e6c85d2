import { groupBy } from "../../../model/group-by.js";
import { unescapeToken } from "../../../model/json-pointer.js";
import { typeName } from "../../../typescript/names.js";
import { shortDigest } from "./digest.js";
import type { DefinitionNode, DefinitionUse, ToolDefinitions } from "./shared-definitions.js";
import { formKey, type SchemaUse, type ToolSchemas } from "./shared-schemas.js";

/** The TypeScript name of a definition in a shared file. */
interface SharedTypeName {
  /** As a handler sees it, defaults filled in. */
  readonly filled: string;
  /** As a caller sends it; the same name where that makes no difference. */
  readonly plain: string;
  /** The first tool, by name, that uses it: its part declares the type. */
  readonly declaredBy: string;
}

/** The constant that holds one form of a definition. */
interface SharedSchemaName {
  readonly name: string;
  /** The first tool, by name, that uses the form: its part declares the constant. */
  readonly declaredBy: string;
}

/** The names of what the tools of a project share. */
export interface SharedNames {
  /** By `uri#pointer`. */
  readonly types: ReadonlyMap<string, SharedTypeName>;
  /** By form. */
  readonly schemas: ReadonlyMap<string, SharedSchemaName>;
}

/** The name of a shared type, as one tool uses it, without the other tools that declare it. */
interface UsedTypeName extends Pick<SharedTypeName, "filled" | "plain"> {
  /** True if this tool's part declares the type. */
  readonly isDeclaredHere: boolean;
}

/** The constant of a shared schema, as one tool uses it. */
interface UsedSchemaName extends Pick<SharedSchemaName, "name"> {
  /** True if this tool's part declares the constant. */
  readonly isDeclaredHere: boolean;
}

/** The types and schemas that one tool shares with others. */
export interface ToolShared {
  /** By definition. */
  readonly types: ReadonlyMap<string, UsedTypeName>;
  /** By form. */
  readonly schemas: ReadonlyMap<string, UsedSchemaName>;
  /** The definitions whose types this tool's part declares. */
  readonly declares: readonly DefinitionNode[];
  /** The node of a form. */
  readonly nodeOf: ToolSchemas["nodeOf"];
  /** The name of the shared type of a node of the tool's schemas, if it has one. */
  typeOf(node: object, isFilled: boolean): string | undefined;
  /** The constant of a node of the tool's schemas, if it has one. */
  schemaOf(node: object): UsedSchemaName | undefined;
}

/** The definitions that one tool uses. */
type ToolUses = Pick<ToolDefinitions, "uses"> & { readonly schemas: Pick<ToolSchemas, "uses"> };

/**
 * Names the definitions that tools share, each under its author's name; where two files use one name, the file's name
 * sets them apart. A definition that comes out differently in two places has no one type, and so no name; as a schema,
 * each of its forms has a constant. The tools come by name; `isTaken` tells of the names that their own types have.
 */
export function nameShared(usesByTool: ReadonlyMap<string, ToolUses>, isTaken: (name: string) => boolean): SharedNames {
  const byDefinition = agreedUses(usesByTool);
  const forms = sharedForms(usesByTool);
  const formsByDefinition = groupBy([...forms.values()], ({ definition }) => definition);
  const places = [...byDefinition.keys()].map(placeOf).toSorted((left, right) => (left.key < right.key ? -1 : 1));
  const alike = groupBy(places, ({ name }) => name.toLowerCase().replace(/(?:arguments)+$/u, ""));
  const named = [...alike.values()].flatMap((namesakes) => nameAlike(namesakes, isTaken));
  const types = new Map<string, SharedTypeName>();
  const names = new Map<string, string>();
  for (const [key, filled] of named) {
    const first = byDefinition.get(key);
    const hasType = first !== undefined && first.isAgreed && first.isWorthAName;
    if (!hasType && !formsByDefinition.has(key)) continue;
    names.set(key, filled);
    if (hasType) {
      types.set(key, { filled, plain: first.isAlike ? filled : `${filled}Arguments`, declaredBy: first.tool });
    }
  }
  return {
    types,
    schemas: new Map([...names].flatMap(([key, name]) => nameForms(name, formsByDefinition.get(key) ?? [], isTaken))),
  };
}

/**
 * Names definitions whose authors' names are alike, each together with its type for callers. Only these names may meet:
 * what sets them apart is before an underscore or after one, and no name of an author keeps any.
 */
function nameAlike(
  places: readonly Place[],
  isTaken: (name: string) => boolean,
): readonly (readonly [definition: string, name: string])[] {
  const ways: readonly ((place: Place) => string)[] = [
    ({ name }) => name,
    ({ name, path }) => `${typeName(path.slice(path.lastIndexOf("/") + 1))}_${name}`,
    ({ name, path }) => `${typeName(path)}_${name}`,
  ];
  const isFree = (names: readonly string[]): boolean => {
    const claimed = names.flatMap((name) => [name, `${name}Arguments`]);
    const folded = new Set(claimed.map((name) => name.toLowerCase()));
    return folded.size === claimed.length && !claimed.some(isTaken);
  };
  const way = ways.find((each) => isFree(places.map(each)));
  return places.map((place) => [place.key, way?.(place) ?? `${place.name}_${shortDigest(place.key)}`]);
}

/** A form that has a constant, and the first tool that uses it. */
interface SharedForm extends SchemaUse {
  readonly tool: string;
}

/**
 * Names the constants of a definition's forms after what sets them apart: where they are and in which words, but never
 * after other definitions, so that a change to one renames no other.
 */
function nameForms(
  definition: string,
  forms: readonly SharedForm[],
  isTaken: (name: string) => boolean,
): readonly (readonly [form: string, name: SharedSchemaName])[] {
  const base = `${definition.charAt(0).toLowerCase()}${definition.slice(1)}Schema`;
  const plainName = ({ role, prose }: SharedForm): string => `${base}${role}${prose === "" ? "" : `_${prose}`}`;
  const byName = groupBy(forms, plainName);
  return forms.map((form) => {
    const plain = plainName(form);
    const isAlone = byName.get(plain)?.length === 1 && !isTaken(plain);
    const name = isAlone ? plain : `${plain}_${shortDigest(form.digest)}`;
    return [formKey(form), { name, declaredBy: form.tool }];
  });
}

/** The forms that are printed in two places or more. */
function sharedForms(usesByTool: ReadonlyMap<string, ToolUses>): ReadonlyMap<string, SharedForm> {
  const forms = new Map<string, SharedForm & { role: string }>();
  const places = new Map<string, number>();
  const holders = new Map<string, Set<string>>();
  for (const [tool, { schemas }] of usesByTool) {
    for (const use of schemas.uses) {
      const form = formKey(use);
      const first = forms.get(form);
      if (first === undefined) forms.set(form, { ...use, tool });
      else if (use.role < first.role) first.role = use.role;
      const known = holders.get(form) ?? new Set<string>();
      holders.set(form, known);
      for (const [holder, times] of use.within) {
        // A form says the same wherever it stands, so that what it holds counts once.
        if (known.has(holder)) continue;
        if (holder !== "") known.add(holder);
        places.set(form, (places.get(form) ?? 0) + times);
      }
    }
  }
  return new Map([...forms].filter(([form]) => (places.get(form) ?? 0) > 1));
}

/** The use of a definition by the first tool, by name, that uses it, and whether all others use it alike. */
interface AgreedUse extends DefinitionUse {
  readonly tool: string;
  isAgreed: boolean;
}

function agreedUses(usesByTool: ReadonlyMap<string, ToolUses>): ReadonlyMap<string, AgreedUse> {
  const byDefinition = new Map<string, AgreedUse>();
  for (const [tool, { uses }] of usesByTool) {
    for (const use of uses) {
      const first = byDefinition.get(use.definition);
      if (first === undefined) byDefinition.set(use.definition, { ...use, tool, isAgreed: true });
      else if (first.digest !== use.digest) first.isAgreed = false;
    }
  }
  return byDefinition;
}

/** Returns the shared names that one tool uses. */
export function sharedOf(
  tool: string,
  definitions: ToolDefinitions,
  found: ToolSchemas,
  { types: allTypes, schemas: allSchemas }: SharedNames,
): ToolShared {
  const types = new Map(
    definitions.definitions.flatMap((definition): readonly (readonly [string, UsedTypeName])[] => {
      const name = allTypes.get(definition);
      if (name === undefined) return [];
      const { filled, plain, declaredBy } = name;
      return [[definition, { filled, plain, isDeclaredHere: declaredBy === tool }]];
    }),
  );
  const schemas = new Map(
    found.uses.flatMap((use): readonly (readonly [string, UsedSchemaName])[] => {
      const form = formKey(use);
      const name = allSchemas.get(form);
      if (name === undefined) return [];
      return [[form, { name: name.name, isDeclaredHere: name.declaredBy === tool }]];
    }),
  );
  return {
    types,
    schemas,
    get declares() {
      const nodes = [...definitions.nodes.values()];
      const declared = [...types].filter(([, { isDeclaredHere }]) => isDeclaredHere);
      return declared.flatMap(([definition]) => nodes.find((node) => node.definition === definition) ?? []);
    },
    nodeOf: (form) => found.nodeOf(form),
    typeOf: (node, isFilled) => {
      const name = types.get(definitions.nodes.get(node)?.definition ?? "");
      return isFilled ? name?.filled : name?.plain;
    },
    schemaOf: (node) => schemas.get(found.formOf(node) ?? ""),
  };
}

/** The place of a definition, and its author's name for it as the name of a type. */
interface Place {
  /** `uri#pointer` */
  readonly key: string;
  /** Its file, without the extension. */
  readonly path: string;
  readonly name: string;
}

function placeOf(key: string): Place {
  const at = key.indexOf("#");
  const pointer = key.slice(at + 1);
  const authored = unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
  return { key, path: key.slice(0, at).replace(/\.[^./]*$/u, ""), name: typeName(authored) };
}
