// By name, so that the bundler keeps the code beside the program of its process.
export { isolate } from "@hasp/handlers/isolation";
