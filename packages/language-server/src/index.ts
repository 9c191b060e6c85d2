export { type LanguageProject, readProjectApprovals } from "./language-project.js";
export type { ProjectPlace, SessionCache } from "./server/project-session.js";
export { serveLanguage } from "./server/serve-language.js";
