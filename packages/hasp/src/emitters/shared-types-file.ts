import { type Code, joinCode, printedCode } from "../typescript/code.js";
import { typeDeclaration } from "../typescript/print-type.js";
import type { TypeContext } from "../typescript/type-of-schema.js";
import type { Emitter } from "./base/emitter.js";
import { header } from "./header.js";
import { typeOfDefinition } from "./base/shared-definitions.js";

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
        const declaration = (declared: string, isFilled: boolean): readonly [string, string] => [
          declared,
          typeDeclaration(declared, typeOfDefinition(use, isFilled, nameOfNode), use.comment).text,
        ];
        const { filled, plain } = name;
        return [...(filled === plain ? [] : [declaration(plain, false)]), declaration(filled, true)];
      }),
    );
  },
  files: ({ tools, layout }, partOf) => {
    const declarations = tools
      .flatMap(({ name }) => Object.entries(partOf(name)))
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, text]): Code => printedCode(text));
    if (declarations.length === 0) return [];
    return [
      { path: layout.sharedTypes, owner: "hasp", code: joinCode([header("the specs"), ...declarations], "\n\n") },
    ];
  },
};
