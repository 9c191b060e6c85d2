export { followReference } from "../importers/source/documents.js";
