export * from "@hasp/compiler";
export { readProject, type Project, type ReadProjectOptions } from "./read-project.js";
