import type { FlatTool } from "../../../compiler/src/model/tool.js";
import type { ShownClaim } from "../../../compiler/src/policies/index.js";
import type { PolicyModel } from "../../../compiler/src/model/policy.js";
import type { ClaimRow, ToolPage, ToolRecord } from "../model.js";
import { shortValue } from "./cut.js";
import { claimedInput } from "./claimed-input.js";
import { placeOf } from "./finding.js";
import { policyMatches } from "./policy-data.js";

interface PageContext {
  readonly claims: readonly ShownClaim[];
  readonly policies: readonly PolicyModel[];
}

export function toolPage(tool: FlatTool, record: ToolRecord, { claims, policies }: PageContext): ToolPage {
  return {
    ...record,
    claims: claims.map((claim) => claimRow(tool, claim)),
    policies: policyMatches(tool, policies),
  };
}

function claimRow(tool: FlatTool, { claim, location, relaxation, state, entry }: ShownClaim): ClaimRow {
  const example = relaxation?.covers.kind === "rule" ? shortValue(claimedInput(tool, relaxation.pointer)) : undefined;
  const { reason, by, on, expires } = entry ?? {};
  return {
    claim,
    place: placeOf(location),
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(by === undefined ? {} : { by }),
    ...(on === undefined ? {} : { on }),
    ...(expires === undefined ? {} : { expires }),
    ...(example === undefined ? {} : { example }),
  };
}
