import type { ProjectPlan } from "@hasp/compiler/model";
import type { Found } from "@hasp/base/diagnostics";
import type { SourceRole, SourceText } from "@hasp/compiler";
import type { FolderDetours } from "../fs/detours.js";
import type { FoundSpecs } from "./find-specs.js";
import type { FoundPackage, PluginPackage } from "../modules/installed-packages.js";
import type { FoundModule, ModuleImport } from "../modules/read-module-text.js";
import type { Twin } from "../modules/twins.js";

/** The settings of a plan besides the configuration. */
export interface PlanOptions {
  /** Path of the configuration, relative to the root. */
  readonly config?: string | undefined;
  /** Continues without approvals. */
  readonly unlocked?: boolean;
  /** Reads a configuration of an earlier version, too, in a commit or folder that is only compared. */
  readonly isEarlier?: boolean;
}

/** The questions to a project's host by kind, with their answers. Plain data, so that a run can be recorded. */
export interface HostQuestions {
  /** Is the root a folder? */
  readonly root: { readonly question: null; readonly answer: boolean };
  /** The existing ones among these paths, each with a mark for a folder. */
  readonly present: {
    readonly question: readonly string[];
    readonly answer: readonly { readonly path: string; readonly isFolder: boolean }[];
  };
  readonly text: {
    readonly question: { readonly uri: string; readonly role: SourceRole };
    readonly answer: SourceText | undefined;
  };
  /** The value of a configuration that consists of more than one file. */
  readonly plan: { readonly question: PlanOptions; readonly answer: Found<ProjectPlan | undefined> };
  readonly specs: {
    readonly question: { readonly patterns: readonly string[]; readonly ignore: readonly string[] };
    readonly answer: FoundSpecs;
  };
  /** The entries of a folder with one of these endings; nothing if there is no such folder. */
  readonly folder: {
    readonly question: { readonly folder: string; readonly endings: readonly string[] };
    readonly answer: FolderEntries;
  };
  /** The path from the root to the top of its repository, such as `../..`; empty if the root is the top. */
  readonly repository: { readonly question: null; readonly answer: string };
  /** The digest of a module's text and its imports; `undefined` if there is no such file in the repository. */
  readonly module: { readonly question: string; readonly answer: FoundModule | undefined };
  /** The place in a module where it imports a specifier, such as `3:20`; `undefined` if it does not. */
  readonly place: { readonly question: ModuleImport; readonly answer: string | undefined };
  /** The files in the repository that the text of a module names: beside it or above, or in a folder beside it. */
  readonly data: { readonly question: string; readonly answer: readonly string[] };
  /** Those of some files that git ignores. */
  readonly ignored: { readonly question: readonly string[]; readonly answer: readonly string[] };
  /** A file of the repository that says what imports mean, such as a `package.json`. */
  readonly settings: { readonly question: string; readonly answer: SourceText | undefined };
  /** The packages to which a name leads from a folder. */
  readonly linked: {
    readonly question: { readonly folder: string; readonly name: string };
    readonly answer: FoundPackage;
  };
  /** The files that may run in place of these modules. */
  readonly twins: { readonly question: readonly string[]; readonly answer: readonly Twin[] };
  /** The files that may run in place of those that the last build wrote to hasp's own folder. */
  readonly outputTwins: { readonly question: string; readonly answer: readonly Twin[] };
  /** The links on the way to hasp's own folder and in it, and its `package.json` files. */
  readonly detours: { readonly question: string; readonly answer: FolderDetours };
  /** The stored text of a pinned remote schema. */
  readonly remote: {
    readonly question: { readonly address: string; readonly sha256: string };
    readonly answer: SourceText;
  };
  /** The packages among these that the project's modules can import. */
  readonly packages: { readonly question: readonly string[]; readonly answer: readonly string[] };
  /** The module of a plugin's package, and the digest of the package; `undefined` if none is installed. */
  readonly plugin: { readonly question: string; readonly answer: PluginPackage | undefined };
  readonly today: { readonly question: null; readonly answer: string };
}

/** Entries of a folder by name, sorted. */
export interface FolderEntries {
  readonly files: readonly string[];
  /** Entries that are not files, each with a description; `.` for a folder that is a link or may not be read. */
  readonly oddities: readonly { readonly name: string; readonly what: string }[];
}

export type QuestionKind = keyof HostQuestions;

export type HostQuestion = {
  readonly [Kind in QuestionKind]: { readonly kind: Kind; readonly question: HostQuestions[Kind]["question"] };
}[QuestionKind];

/** The file system of one project: everything is read through it. */
export interface CompilerHost {
  ask<Kind extends QuestionKind>(
    kind: Kind,
    question: HostQuestions[Kind]["question"],
  ): Promise<HostQuestions[Kind]["answer"]>;
}
