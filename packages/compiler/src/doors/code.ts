export {
  type Code,
  type Data,
  code,
  importStatement,
  importStatements,
  joinCode,
  literal,
  markAsCode,
  name,
  printCreator,
  printDocComment,
  printLineComment,
  printLineList,
  printObjectLiteral,
  printTemplateLiteral,
  propertyName,
  typeNames,
} from "../typescript/code.js";
export { nameUnnumberedEntry } from "../typescript/codegen-entries.js";
export { formatModule } from "../typescript/format.js";
