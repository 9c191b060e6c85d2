import { findOrAdd, sortBy, groupBy, unescapeToken } from "@hasp/base/json";
import { typeName } from "@hasp/compiler/layout";
import { computeShortDigest } from "./module-text.js";
import type { DefinitionNode, DefinitionUse, ToolDefinitions } from "./shared-definitions.js";
import { createFormKey, type SchemaUse, type ToolSchemas } from "./shared-schemas.js";

interface SharedTypeName {
  readonly filled: string;
  readonly plain: string;
  readonly declaredBy: string;
}

interface SharedSchemaName {
  readonly name: string;
  readonly declaredBy: string;
}

export interface SharedNames {
  readonly types: ReadonlyMap<string, SharedTypeName>;
  readonly schemas: ReadonlyMap<string, SharedSchemaName>;
}

interface UsedTypeName extends Pick<SharedTypeName, "filled" | "plain"> {
  readonly isDeclaredHere: boolean;
}

interface UsedSchemaName extends Pick<SharedSchemaName, "name"> {
  readonly isDeclaredHere: boolean;
}

export interface ToolShared {
  readonly types: ReadonlyMap<string, UsedTypeName>;
  readonly schemas: ReadonlyMap<string, UsedSchemaName>;
  readonly declares: readonly DefinitionNode[];
  readonly nodeOf: ToolSchemas["nodeOf"];
  typeOf(node: object, isFilled: boolean): string | undefined;
  schemaOf(node: object): UsedSchemaName | undefined;
}

type ToolUses = Pick<ToolDefinitions, "uses"> & { readonly schemas: Pick<ToolSchemas, "uses"> };

/** Names shared definitions as their authors did; adds the file's name on collision. One with two types has none. */
export function nameShared(usesByTool: ReadonlyMap<string, ToolUses>, isTaken: (name: string) => boolean): SharedNames {
  const byDefinition = agreedUses(usesByTool);
  const forms = sharedForms(usesByTool);
  const formsByDefinition = groupBy([...forms.values()], ({ definition }) => definition);
  const places = sortBy([...byDefinition.keys()].map(parsePlace), ({ key }) => key);
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

/** Names definitions whose authors' names collide. Only these names contain an underscore. */
function nameAlike(
  places: readonly DefinitionPlace[],
  isTaken: (name: string) => boolean,
): readonly (readonly [definition: string, name: string])[] {
  const ways: readonly ((place: DefinitionPlace) => string)[] = [
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
  return places.map((place) => [place.key, way?.(place) ?? `${place.name}_${computeShortDigest(place.key)}`]);
}

interface SharedForm extends SchemaUse {
  readonly tool: string;
}

/** Names a definition's forms by position and wording, so that changing one renames no other. */
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
    const name = isAlone ? plain : `${plain}_${computeShortDigest(form.digest)}`;
    return [createFormKey(form), { name, declaredBy: form.tool }];
  });
}

function sharedForms(usesByTool: ReadonlyMap<string, ToolUses>): ReadonlyMap<string, SharedForm> {
  const forms = new Map<string, SharedForm & { role: string }>();
  const places = new Map<string, number>();
  const holders = new Map<string, Set<string>>();
  for (const [tool, { schemas }] of usesByTool) {
    for (const use of schemas.uses) {
      const form = createFormKey(use);
      const first = forms.get(form);
      if (first === undefined) forms.set(form, { ...use, tool });
      else if (use.role < first.role) first.role = use.role;
      const known = findOrAdd(holders, form, () => new Set<string>());
      for (const [holder, times] of use.within) {
        // A form has the same content everywhere, so count its inner forms once.
        if (known.has(holder)) continue;
        if (holder !== "") known.add(holder);
        places.set(form, (places.get(form) ?? 0) + times);
      }
    }
  }
  return new Map([...forms].filter(([form]) => (places.get(form) ?? 0) > 1));
}

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

export function selectShared(
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
      const form = createFormKey(use);
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

interface DefinitionPlace {
  readonly key: string;
  readonly path: string;
  readonly name: string;
}

function parsePlace(key: string): DefinitionPlace {
  const at = key.indexOf("#");
  const pointer = key.slice(at + 1);
  const authored = unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
  return { key, path: key.slice(0, at).replace(/\.[^./]*$/u, ""), name: typeName(authored) };
}
