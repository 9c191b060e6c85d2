export * from "@hasp/compiler/plugin";
