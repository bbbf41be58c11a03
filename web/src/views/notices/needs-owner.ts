/** Everything that needs the owner, from all sources, each with the place to settle it. */
import type { ApprovalView, BudgetView, ChannelView, NoticeView, PairingView } from "@pincer/sdk";
import type { TextKey } from "../../texts/texts.ts";
import { quoted } from "../approvals/reason-line.ts";
import { cardId } from "../approvals/request-cards.ts";

export interface NeedParts {
  approvals: readonly Pick<ApprovalView, "id" | "card" | "tool" | "shown" | "askedAt" | "expiresAt">[];
  pairing: readonly Pick<PairingView, "channel" | "accountId" | "senderId" | "createdAt" | "meta">[];
  channels: readonly ChannelView[];
  budgets: readonly BudgetView[];
  notices: readonly NoticeView[];
  /** Why the config file is not used; empty where it is. */
  configProblems: readonly string[];
}

export interface Need {
  /** The same thing has the same id each time. */
  id: string;
  tone: "bad" | "warn" | "info";
  /** Words of the page, or words that came with it. */
  text: { key: TextKey; parameters: Record<string, string | number> } | { words: string };
  /** Where it is settled. */
  link: string;
  since: string | null;
  /** Of a notice that can be put away. */
  noticeId?: string;
  /** A folder with files that steer the assistant and were not accepted. */
  steering?: string;
}

/** A budget is near its end from here on. */
const nearEnd = 0.8;

/** The worst first, then the newest. */
export function needsOwner(parts: NeedParts): Need[] {
  const told = new Set<string>();
  const needs: Need[] = [];
  const add = (subject: string, need: Omit<Need, "id">) => {
    told.add(subject);
    needs.push({ id: subject, ...need });
  };
  if (parts.configProblems.length > 0)
    add("config", {
      tone: "bad",
      text: { key: "notices.config", parameters: {} },
      link: "#/config",
      since: null,
    });
  for (const [id, card] of Map.groupBy(parts.approvals, cardId)) {
    const [first] = card;
    if (!first) continue;
    const tool = [...new Set(card.map((each) => each.tool))].join(", ");
    // Of a card of which the rest was answered, one is left and answered by itself.
    const place = card.length > 1 ? id : first.id;
    add(`approval:${id}`, {
      tone: "warn",
      text: { key: "notices.approval", parameters: { tool, shown: quoted(firstLine(first.shown)) } },
      link: `#/approvals/${encodeURIComponent(place)}`,
      since: first.askedAt,
    });
  }
  for (const { channel, accountId, senderId, createdAt, meta } of parts.pairing)
    add(`pairing:${channel}:${accountId}:${senderId}`, {
      tone: "warn",
      text: { key: "notices.pairing", parameters: { channel, who: meta["name"] ?? senderId } },
      link: "#/channels",
      since: createdAt,
    });
  for (const { channel, accountId, health, enabled, reason = "", since } of parts.channels) {
    if (health !== "red" || enabled === false) continue;
    add(`channel:${channel}:${accountId}`, {
      tone: "bad",
      text: { key: "notices.channel", parameters: { channel, reason } },
      link: "#/channels",
      since,
    });
  }
  for (const budget of parts.budgets) {
    const share = budget.limit > 0 ? budget.used / budget.limit : 1;
    if (share < nearEnd) continue;
    const scope = [budget.scope, budget.agentId].filter(Boolean).join(" ");
    add(`budget:${scope}:${budget.what}`, {
      tone: share >= 1 ? "bad" : "warn",
      text: {
        key: share >= 1 ? "notices.budget.over" : "notices.budget",
        parameters: { key: budget.configKey, percent: Math.floor(share * 100) },
      },
      link: "#/usage",
      since: null,
    });
  }
  for (const notice of parts.notices) {
    // What is told above from its source needs no second line.
    if (told.has(notice.subject)) continue;
    add(notice.subject, {
      tone: "info",
      text: { words: notice.words ?? `${notice.kind}: ${notice.subject}` },
      link: linkOf(notice),
      since: notice.createdAt,
      noticeId: notice.id,
      ...(notice.kind === "steering" && { steering: notice.subject.replace(/^steering:/u, "") }),
    });
  }
  return needs.toSorted(
    (one, other) =>
      tones.indexOf(one.tone) - tones.indexOf(other.tone) ||
      (other.since ?? "").localeCompare(one.since ?? ""),
  );
}

const tones: readonly Need["tone"][] = ["bad", "warn", "info"];

const firstLine = (text: string): string => {
  const [line = ""] = text.split("\n", 1);
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
};

function linkOf({ kind, subject }: NoticeView): string {
  if (kind === "approval") return "#/approvals";
  if (kind === "device") return "#/access";
  if (kind === "turn-failed" || kind === "dead-letter") {
    const [, run] = /^turn:(.+)$/.exec(subject) ?? [];
    return run === undefined ? "#/runs" : `#/runs/${encodeURIComponent(run)}`;
  }
  if (kind === "steering" || kind === "unlabelled") return "#/health";
  if (kind === "summary-failed") return "#/sessions";
  if (kind === "memory" || kind === "plugin-left-out") return "#/health";
  return "#/channels";
}
