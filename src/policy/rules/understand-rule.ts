/**
 * From the words of a rule to what the gate can enforce. Only a prohibition can be enforced, and only one of which every word is
 * understood: `never delete my files` is, `never delete files on Fridays` is a reminder for the model. A deed that can also be done by
 * running a program takes the running of programs along where its object can be told apart, or where it is a matter of files; deleting
 * takes along only the calls that delete.
 */
import type { RuleDenial, RuleEnforcement } from "../../storage/rules/rules.ts";
import { isReservedName } from "../tool-groups.ts";
import { isMatchable } from "./argument-match.ts";
import { readClauses, type Clause, type Target } from "./rule-clauses.ts";
import { takeObjects, type RuleObject } from "./rule-objects.ts";
import type { Deed, Thing } from "./rule-vocabulary.ts";
import { withoutEmphasis, withoutOwnerClause } from "./strip-asides.ts";

/** Null: a reminder. `isToolName` knows names and aliases besides the reserved ones. */
export function understandRule(
  text: string,
  isToolName: (name: string) => boolean = () => false,
): RuleEnforcement | null {
  const plain = text.normalize("NFKC").trim().replaceAll("’", "'");
  const { objects, rest } = takeObjects(plain, (name) => isReservedName(name) || isToolName(name));
  if (objects.some((object) => object.type !== "tool" && !isMatchable(object.text))) return null;
  const sentences = prohibitionsIn(rest);
  const clauses = sentences?.map((sentence) => readClauses(sentence, objects));
  const denials = clauses?.flatMap((each) => each?.map(denialOf) ?? [undefined]);
  return denials && denials.length > 0 ? combineDenials(denials) : null;
}

const programs = ["exec", "process"];
const writing = ["effect:write"];
const reading = ["read", "list", "search"];
const web = ["group:web", "group:browser"];

const prohibition = new RegExp(
  [
    "^(?:please[,\\s]+|from now on[,:\\s]+|you\\s+)*",
    "(?:(?:must|should|may|can|shall|are to|will)\\s+(?:never|not)|mustn't|shouldn't|cannot(?!\\s+you)|can't(?!\\s+you)|never(?:,?\\s+ever)?|do not(?:\\s+ever)?|don't(?:\\s+ever)?|",
    "are not allowed to|are forbidden to|under no circumstances|no(?!\\s+(?:need|problem|matter|one)\\b))\\s+|",
    "^(?:从现在起|从现在开始|从今以后|以后|今后|请|你|您|永远|千万|绝对|一定|都|也|[,:\\s])*",
    "(?:不要|不许|不准|不允许|不得|不能|不可以|不可|不应该|不应|禁止|严禁|绝不能|绝不|决不|切勿|勿|别)\\s*(?:再\\s*)?",
  ].join(""),
  "iu",
);

/** What follows its comma is no other sentence. */
const opening =
  /^(?:(?:please|from now on)[,:\s]+|(?:从现在起|从现在开始|从今以后|以后|今后|请)[,:\s]*|[,\s]+)+/iu;

/** Where another prohibition, or another sentence, begins. */
const again =
  /[.;!。]+\s*|,?\s*\b(?:and|or)\s+(?=(?:never|do not|don't)\s)|,\s*(?=(?:never|do not|don't)\s|也?(?:不要|不许|不准|禁止|严禁|别(?!人)))/iu;

/** A rule holds until it is removed, so these say nothing more. */
const untilWhenever =
  /[,\s]*\b(?:(?:until|till)\s+i\s+ask(?:\s+[\w']+){0,5}[.!\s]*$|until further notice\b|for now\b)/giu;

/** What each of its sentences forbids; undefined when one of them forbids nothing. */
function prohibitionsIn(text: string): string[] | undefined {
  if (text.includes("?")) return undefined;
  const plain = withoutOwnerClause(withoutEmphasis(text)).replace(untilWhenever, " ").replace(opening, "");
  const sentences = plain.split(again).filter((sentence) => sentence.trim() !== "");
  const forbidden = sentences.map((sentence) => {
    const found = prohibition.exec(sentence.trim());
    return found ? sentence.trim().slice(found[0].length) : undefined;
  });
  return forbidden.every((each) => each !== undefined) ? forbidden : undefined;
}

/** Undefined when a deed does not go together with what it is done to. */
function denialOf({ deeds, targets }: Clause): RuleDenial | undefined {
  const everything = targets.length > 0 ? targets : [nothing];
  const tools = everything.map((target) => {
    const wanted = deeds.length > 0 ? deeds : impliedDeeds(target);
    const each = wanted.map((deed) => toolsOf(deed, target));
    return each.length === 0 || each.includes(undefined) ? undefined : each.flatMap((names) => names ?? []);
  });
  if (tools.includes(undefined)) return undefined;
  const objects = targets.flatMap((target) => target.objects);
  const match = objects.filter(({ type }) => type !== "tool").map((object) => object.text);
  const isNamed = objects.some(({ type }) => type === "tool");
  const widened = [
    ...tools.flatMap((names) => names ?? []),
    ...(match.length > 0 && !isNamed ? programs : []),
  ];
  // Of a named thing nothing else may be done either: what a program does with it cannot be told.
  const isDeleting = match.length === 0 && deeds.length > 0 && deeds.every((deed) => deed === "delete");
  return {
    tools: [...new Set(widened)],
    ...(match.length > 0 && { match: [...new Set(match)] }),
    ...(isDeleting && { deed: "delete" }),
  };
}

const nothing: Target = { things: new Set(), objects: [], isTelling: false };

/** "no emails", "no shell commands", "no exec". */
function impliedDeeds({ things, objects, isTelling }: Target): Deed[] {
  if (objects.some(({ type }) => type === "tool")) return ["run"];
  if (!isTelling) return [];
  const implied: Partial<Record<Thing, Deed>> = {
    program: "run",
    message: "send",
    web: "browse",
    plan: "plan",
  };
  return [...things].flatMap((thing) => implied[thing] ?? []);
}

/** The tools that do the deed; undefined when it is not plain which they are. */
function toolsOf(deed: Deed, { things, objects }: Target): string[] | undefined {
  const isAbout = (...wanted: Thing[]) => wanted.some((thing) => things.has(thing));
  const isOnlyAbout = (...wanted: Thing[]) => [...things].every((thing) => wanted.includes(thing));
  const isNamed = (...types: Array<RuleObject["type"]>) => objects.some(({ type }) => types.includes(type));
  const isOnlyNamed = (...types: Array<RuleObject["type"]>) =>
    objects.every(({ type }) => types.includes(type));
  const named = objects.filter(({ type }) => type === "tool").map(({ text }) => text);
  if (named.length > 0) return deed === "run" && things.size === 0 ? named : undefined;
  const isOnFiles =
    isOnlyAbout("file", "any") && isOnlyNamed("path", "quoted") && (isAbout("file") || objects.length > 0);
  const isOnPictures =
    isAbout("picture") && isOnlyAbout("picture", "file", "any") && isOnlyNamed("path", "quoted");
  const isOnWeb =
    isOnlyAbout("web", "link", "any") &&
    isOnlyNamed("host", "quoted") &&
    (isAbout("web", "link") || isNamed("host"));
  switch (deed) {
    case "run":
      if (isOnlyAbout("web") && isAbout("web") && objects.length === 0) return web;
      if (!isOnlyAbout("program") || !isOnlyNamed("quoted", "path")) return undefined;
      return things.size + objects.length > 0 ? programs : undefined;
    case "deploy":
      return isOnlyAbout("program", "file", "any") && isOnlyNamed("quoted", "path") ? programs : undefined;
    case "send":
      if (!isOnlyAbout("message", "person", "any") || !isOnlyNamed("address", "name", "quoted"))
        return undefined;
      if (things.size + objects.length === 0) return undefined;
      return ["group:messaging", "sessions_send", ...(objects.length > 0 ? ["http_request"] : [])];
    case "plan":
      return isOnlyAbout("plan", "any") && objects.length === 0 ? ["cron"] : undefined;
    case "browse":
      return isOnWeb || (things.size === 0 && objects.length === 0) || isOnlyAny(things, objects)
        ? web
        : undefined;
    case "search":
    case "read":
      if (isOnWeb) return web;
      return isOnFiles ? [...reading, ...programs] : undefined;
    case "touch":
      if (isOnWeb) return web;
      return isOnFiles ? ["group:fs", "group:memory", ...writing, ...programs] : undefined;
    case "write":
    case "delete":
    case "make":
      if (isOnlyAbout("plan") && isAbout("plan") && objects.length === 0) return ["cron"];
      if (isOnFiles || (deed !== "make" && (isOnlyAny(things, objects) || isOnPictures)))
        return [...writing, ...programs];
      return undefined;
    case "remember":
      return isOnlyAny(things, objects) ? ["memory_append"] : undefined;
  }
}

const isOnlyAny = (things: ReadonlySet<Thing>, objects: readonly RuleObject[]): boolean =>
  things.size === 1 && things.has("any") && objects.length === 0;

/** One denial where none or all of them are about the same; null when one was not understood. */
function combineDenials(denials: ReadonlyArray<RuleDenial | undefined>): RuleEnforcement | null {
  const byMatch = new Map<string, RuleDenial>();
  for (const denial of denials) {
    if (!denial) return null;
    const { tools, ...limits } = denial;
    const key = JSON.stringify(limits);
    const same = byMatch.get(key);
    byMatch.set(key, { tools: [...new Set([...(same?.tools ?? []), ...tools])], ...limits });
  }
  const [first, ...also] = byMatch.values();
  return first ? { ...first, ...(also.length > 0 && { also }) } : null;
}
