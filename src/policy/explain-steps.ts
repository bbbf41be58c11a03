/** Explains what each rule says about a call. */
import type { GateReason } from "@pincer/sdk";
import { decide, type PolicyObject, type PolicySubject } from "./decide.ts";
import type { Decision, PolicyLayer, Verdict } from "./decision.ts";
import type { Finding } from "./finding.ts";
import { gateReason, inEnglish } from "../infra/gate-reasons.ts";
import type { ToolRule } from "./tool-access.ts";
import { namesOf } from "./tool-groups.ts";

export interface PolicyStep {
  layer: PolicyLayer;
  source: string;
  /** `-`: the rule does not apply to this call. */
  says: Verdict | "-";
  /** The reasons in one English sentence. */
  words: string;
  reasons: readonly GateReason[];
}

/** In the order of evaluation. Pure. */
export function explainSteps(
  { rules, ...subject }: PolicySubject,
  object: PolicyObject,
  /** Undefined: nothing was looked at. */
  findings?: readonly Finding[],
): PolicyStep[] {
  const names = namesOf(object.tool);
  const bare: PolicyObject = {
    tool: { ...object.tool },
    arguments: object.arguments,
    workdir: object.workdir,
    commands: object.commands,
  };
  delete bare.tool.isVisible;
  const alone = (rule: ToolRule): PolicyStep => {
    const decision = decide({ ...subject, rules: [rule] }, "run", bare);
    const isAbout = decision.verdict !== "allow" || names.some((name) => rule.names.includes(name));
    const layer = decision.verdict === "allow" ? layerOf(rule) : decision.rule.layer;
    return isAbout
      ? step(layer, rule.source, decision.verdict, decision.reasons)
      : step(layer, rule.source, "-", [gateReason("not-about")]);
  };
  const wide = { ...subject, rules: [] };
  const byTool = decide(wide, "run", object);
  const byProvenance = decide({ ...wide, grants: undefined }, "run", object, findings);
  return [
    ...rules
      .filter((rule) => rule.names.length > 0 || rule.type === "off" || rule.type === "granted")
      .map(alone),
    stepOf("tool", object.tool.name, byTool),
    ...(findings ? [stepOf("provenance", "arguments", byProvenance)] : []),
  ];
}

const stepOf = (layer: PolicyLayer, source: string, { verdict, reasons, rule }: Decision): PolicyStep =>
  rule.layer === layer || (layer === "provenance" && rule.layer === "secret") || rule.layer === "visibility"
    ? step(rule.layer, rule.source, verdict, reasons)
    : step(layer, source, "-", [gateReason("nothing-against")]);

const step = (
  layer: PolicyLayer,
  source: string,
  says: PolicyStep["says"],
  reasons: readonly GateReason[],
): PolicyStep => ({ layer, source, says, words: inEnglish(reasons), reasons });

const layerOf = ({ type, source }: ToolRule): PolicyLayer => {
  switch (type) {
    case "off":
      return "switch";
    case "deny":
      return "deny";
    case "only":
      return source.startsWith("--") ? "run" : "agent";
    case "standing":
      return "standing";
    case "when":
      return "visibility";
    case "mode":
      return "mode";
    case "granted":
      return "edition";
  }
};
