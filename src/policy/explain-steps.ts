/** Explains what each rule says about a call. */
import { decide, type PolicyObject, type PolicySubject } from "./decide.ts";
import type { Decision, PolicyLayer, Verdict } from "./decision.ts";
import type { Provenance } from "./provenance/provenance.ts";
import type { ToolRule } from "./tool-access.ts";
import { namesOf } from "./tool-groups.ts";

export interface PolicyStep {
  layer: PolicyLayer;
  source: string;
  /** `-`: the rule does not apply to this call. */
  says: Verdict | "-";
  words: string;
}

/** In the order of evaluation. Pure. */
export function explainSteps(
  { rules, ...subject }: PolicySubject,
  object: PolicyObject,
  provenance?: Provenance,
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
    return {
      layer: decision.verdict === "allow" ? layerOf(rule) : decision.rule.layer,
      source: rule.source,
      says: isAbout ? decision.verdict : "-",
      words: isAbout ? decision.reason : "not about this call",
    };
  };
  const wide = { ...subject, rules: [] };
  const byTool = decide(wide, "run", object);
  const byProvenance = decide({ ...wide, grants: undefined }, "run", object, provenance);
  return [
    ...rules
      .filter((rule) => rule.names.length > 0 || rule.type === "off" || rule.type === "granted")
      .map(alone),
    stepOf("tool", object.tool.name, byTool),
    ...(provenance ? [stepOf("provenance", "where its arguments come from", byProvenance)] : []),
  ];
}

const stepOf = (layer: PolicyLayer, source: string, { verdict, reason, rule }: Decision): PolicyStep =>
  rule.layer === layer || (layer === "provenance" && rule.layer === "secret") || rule.layer === "visibility"
    ? { layer: rule.layer, source: rule.source, says: verdict, words: reason }
    : { layer, source, says: "-", words: "nothing against it" };

const layerOf = ({ type, source }: ToolRule): PolicyLayer => {
  switch (type) {
    case "off":
      return "switch";
    case "deny":
      return "deny";
    case "only":
      return source.startsWith("this run") ? "run" : "agent";
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
