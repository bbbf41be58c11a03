/**
 * Shapes that people bring along from an `openclaw.json`, where Pincer's key of the same name has another one. What has
 * an equivalent here is taken over; the rest is ignored, and a warning says what holds instead: never more than was
 * written. Pure and total: it takes any value whatever.
 */
import { isTable, readPath, withPath, type ConfigPath } from "@pincer/sdk";
import type { Wording } from "./in-both-languages.ts";

export interface ShapeChange {
  path: ConfigPath;
  /** undefined: the key is left out. */
  value: unknown;
  /** Says the same in our spelling, so that `config migrate` may write it. */
  isSame: boolean;
  /** What the user is told; a change without one belongs to the one before it. */
  wording: Wording | undefined;
}

export interface TakenOver {
  value: unknown;
  changes: ShapeChange[];
}

type Table = Record<string, unknown>;

export function takeOverShapes(value: unknown): TakenOver {
  if (!isTable(value)) return { value, changes: [] };
  const { profiles } = value;
  const changes = [
    ...changesOf(value),
    ...entriesOf(profiles).flatMap(([name, profile]) =>
      isTable(profile)
        ? changesOf(profile, value).map((change) => ({ ...change, path: ["profiles", name, ...change.path] }))
        : [],
    ),
  ];
  return {
    value: changes.reduce<unknown>((all, each) => withPath(all, each.path, each.value), value),
    changes,
  };
}

/** `under` is what a profile lies over. */
const changesOf = (config: Table, under: Table = {}): ShapeChange[] => [
  ...resetOf(config),
  ...pluginsOf(config),
  ...httpOf(config),
  ...tailscaleOf(config),
  ...sessionsOf(config),
  ...hooksOf(config),
  ...channelsOf(config, under),
];

const same = (path: ConfigPath, value: string): ShapeChange => ({
  path,
  value,
  isSame: true,
  wording: { key: "config.problem.taken-over", parameters: { value } },
});

const instead = (
  path: ConfigPath,
  value: unknown,
  key: Wording["key"],
  parameters: Wording["parameters"] = {},
): ShapeChange => ({ path, value, isSame: false, wording: { key, parameters } });

function resetOf(config: Table): ShapeChange[] {
  const path = ["session", "reset", "mode"];
  return readPath(config, path) === "none" ? [same(path, "manual")] : [];
}

/** Plugins of OpenClaw are no plugins of Pincer, and code is loaded only where somebody asks for exactly that. */
function pluginsOf(config: Table): ShapeChange[] {
  const path = ["plugins", "load"];
  return isTable(readPath(config, path)) ? [instead(path, undefined, "config.problem.other-plugins")] : [];
}

function httpOf(config: Table): ShapeChange[] {
  const path = ["gateway", "http"];
  const http = readPath(config, path);
  if (!isTable(http)) return [];
  return switchesOff(http)
    ? [instead(path, false, "config.problem.other-http.off")]
    : [instead(path, undefined, "config.problem.other-http")];
}

const switchesOff = (table: Table): boolean =>
  Object.entries(table).some(
    ([name, value]) => (name === "enabled" && value === false) || (isTable(value) && switchesOff(value)),
  );

function tailscaleOf(config: Table): ShapeChange[] {
  const path = ["gateway", "tailscale"];
  const tailscale = readPath(config, path);
  if (!isTable(tailscale)) return [];
  const { mode } = tailscale;
  return [same(path, mode === "serve" || mode === "funnel" ? mode : "off")];
}

function sessionsOf(config: Table): ShapeChange[] {
  const path = ["tools", "sessions", "visibility"];
  const visibility = readPath(config, path);
  if (typeof visibility !== "string") return [];
  if (visibility === "all" || visibility === "agent")
    return [instead(path, undefined, "config.problem.other-sessions")];
  return [
    instead(path, undefined, "config.problem.other-sessions.denied", { tools: acrossSessions.join(", ") }),
    ...acrossSessions.map((tool) => ({
      path: ["tools", "modes", tool],
      value: "deny",
      isSame: false,
      wording: undefined,
    })),
  ];
}

const acrossSessions = ["sessions_list", "sessions_history", "sessions_send"];

/** Our hooks are tables by name, each with a secret of its own: what is no such table opens no address. */
function hooksOf(config: Table): ShapeChange[] {
  const { hooks } = config;
  if (!isTable(hooks)) return [];
  const isOff = hooks["enabled"] === false;
  return entriesOf(hooks).flatMap(([name, hook]) => {
    const isHook = isTable(hook) && !(otherHooks.has(name) && !Object.hasOwn(hook, "secret"));
    return isHook && !isOff ? [] : [instead(["hooks", name], undefined, "config.problem.other-hook")];
  });
}

const otherHooks = new Set(["gmail", "internal"]);

function channelsOf(config: Table, under: Table): ShapeChange[] {
  return entriesOf(config["channels"]).flatMap(([name, channel]) => {
    if (!isTable(channel)) return [];
    const path = ["channels", name];
    const base = tableAt(under, path);
    const whole = { ...base, ...channel };
    return [
      ...streamingOf(path, channel),
      ...groupsOf(path, channel, whole),
      ...entriesOf(channel["accounts"]).flatMap(([account, own]) => {
        if (!isTable(own)) return [];
        const place = [...path, "accounts", account];
        return [
          ...streamingOf(place, own),
          ...groupsOf(place, own, { ...whole, ...tableAt(base, ["accounts", account]), ...own }),
        ];
      }),
    ];
  });
}

const entriesOf = (value: unknown): Array<[string, unknown]> => (isTable(value) ? Object.entries(value) : []);

function tableAt(value: Table, path: ConfigPath): Table {
  const found = readPath(value, path);
  return isTable(found) ? found : {};
}

const ourStreaming = new Map<unknown, string>([
  ["partial", "edit"],
  ["progress", "edit"],
  [true, "edit"],
  ["block", "blocks"],
  [false, "off"],
]);

function streamingOf(path: ConfigPath, { streaming: written }: Table): ShapeChange[] {
  const streaming = isTable(written) ? (written["mode"] ?? false) : written;
  const isOurs = streaming === "off" || streaming === "edit" || streaming === "blocks";
  const ours = isOurs ? streaming : ourStreaming.get(streaming);
  return ours === undefined || ours === written ? [] : [same([...path, "streaming"], ours)];
}

/**
 * The map names groups, and "*" for every group. A group that is switched off, or that has rules of its own which we do
 * not have, is not answered. Every group is answered only where `groupPolicy` says so too, and the map has no exception.
 */
function groupsOf(path: ConfigPath, own: Table, { groups, groupPolicy, requireMention, ...rest }: Table) {
  const isInherited = !isTable(own["groups"]);
  if (!isTable(groups) || (isInherited && own["groupPolicy"] === undefined)) return [];
  const { "*": every, ...named } = groups;
  const entries = Object.entries(named);
  const hasCommonRules = every !== undefined && !isPlain(every);
  const open = hasCommonRules ? [] : entries.filter(([, group]) => isPlain(group));
  const isEvery =
    groupPolicy === "open" && every !== undefined && isPlain(every) && open.length === entries.length;
  const policy = groupPolicy === "disabled" ? "disabled" : isEvery ? "open" : "allowlist";
  const answered = [...open.map(([, group]) => group), ...(every === undefined ? [] : [every])];
  const usual = isTable(every) ? every["requireMention"] : undefined;
  const mention =
    requireMention === true ||
    answered.length === 0 ||
    answered.some((group) => ((isTable(group) ? group["requireMention"] : undefined) ?? usual) !== false);
  const ids = open.map(([id]) => id);
  const put = (name: string, value: unknown): ShapeChange => ({
    path: [...path, name],
    value,
    isSame: false,
    wording: undefined,
  });
  return [
    instead([...path, "groups"], ids, "config.problem.group-map", {
      count: ids.length,
      policy,
      mention: String(mention),
    }),
    put("groupPolicy", policy),
    put("requireMention", mention),
    ...heardIn(rest, groupPolicy).map((people) => put("groupAllowFrom", people)),
  ];
}

/** Unless groups are open, OpenClaw hears only people there who are named. */
function heardIn({ groupAllowFrom, allowFrom }: Table, groupPolicy: unknown): unknown[][] {
  if (groupPolicy === "open" || groupAllowFrom !== undefined || !Array.isArray(allowFrom)) return [];
  return allowFrom.length === 0 || allowFrom.includes("*") ? [] : [allowFrom];
}

const isPlain = (group: unknown): boolean =>
  isTable(group) &&
  group["enabled"] !== false &&
  Object.keys(group).every((key) => key === "requireMention" || key === "enabled");
