import { layOut } from "../typescript/document.js";
import { typeDeclaration } from "../typescript/print-type.js";
import type { TypeContext } from "../typescript/type-of-schema.js";
import type { Emitter } from "./emitter.js";
import { header } from "./header.js";
import { typeOfDefinition } from "./shared-definitions.js";

/**
 * `types.ts`: the definitions that specs share, under their authors' names. A tool's part declares those that it is the
 * first to use.
 */
export const sharedTypesFile: Emitter<{ readonly [name: string]: string }> = {
  name: "shared-types",
  part: ({ sharedTypes: { declares, namesByDefinition, nameOf } }) => {
    const nameOfNode: TypeContext["nameOf"] = (node, { isFilled }) =>
      typeof node === "object" ? nameOf(node, isFilled) : undefined;
    return Object.fromEntries(
      declares.flatMap((use): readonly (readonly [string, string])[] => {
        const name = namesByDefinition.get(use.definition);
        if (name === undefined) return [];
        const { filled, plain } = name;
        const declaration = (name: string, isFilled: boolean): readonly [string, string] => [
          name,
          layOut(typeDeclaration(name, typeOfDefinition(use, isFilled, nameOfNode), use.comment)).trimEnd(),
        ];
        return [...(filled === plain ? [] : [declaration(plain, false)]), declaration(filled, true)];
      }),
    );
  },
  files: ({ tools, layout }, partOf) => {
    const declarations = tools
      .flatMap(({ name }) => Object.entries(partOf(name)))
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
    if (declarations.length === 0) return [];
    return [
      {
        path: layout.sharedTypes,
        owner: "hasp",
        pieces: [header("the specs"), ...declarations.flatMap(([, text]) => ["\n\n", text]), "\n"],
      },
    ];
  },
};
