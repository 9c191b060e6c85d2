export { liveTools } from "@hasp/runtime/internal";
