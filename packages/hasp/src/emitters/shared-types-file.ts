import { layOut } from "../typescript/document.js";
import { typeDeclaration } from "../typescript/print-type.js";
import type { Emitter } from "./emitter.js";
import { header } from "./header.js";

/** `types.ts`: the definitions that specs share, under their authors' names. */
export const sharedTypesFile: Emitter = {
  name: "shared-types",
  emit: ({ sharedTypes, layout }) => {
    if (sharedTypes.declared.length === 0) return [];
    const declarations = sharedTypes.declared.map(({ name, type, comment }) => layOut(typeDeclaration(name, type, comment)).trimEnd());
    return [{ path: layout.sharedTypes, owner: "hasp", text: `${[header("the specs"), ...declarations].join("\n\n")}\n` }];
  },
};
