/** The filters of the list of sessions. */
import type { SessionView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Say } from "../../texts/texts.ts";

export interface Filter {
  search: string;
  agentId: string;
  channel: string;
  state: "" | SessionView["state"];
}

export const noFilter: Filter = { search: "", agentId: "", channel: "", state: "" };

/** What is left empty is not asked for. */
export const asked = (filter: Filter): Partial<Record<keyof Filter, never>> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));

interface FilterParts {
  filter: Filter;
  /** Those that are known so far: what they belong to can be chosen, too. */
  rows: readonly SessionView[];
  agents: readonly string[];
  channels: readonly string[];
  /** How many are shown, in words. */
  told: string;
  say: Say;
  typed(event: Event): void;
  choose(change: Partial<Filter>): void;
}

/** Rows beyond tell nothing new. */
const mostLookedAt = 400;

export function sessionFilter(parts: FilterParts): TemplateResult {
  const { filter, rows, say } = parts;
  const seen = rows.slice(0, mostLookedAt);
  const channels = seen.map(({ origin }) => origin.channel);
  const agents = seen.map(({ agentId }) => agentId);
  return html`
    <div class="toolbar" role="search">
      <div class="field session-search">
        <label for="session-search">${say("sessions.search")}</label>
        <input
          id="session-search"
          type="search"
          maxlength="200"
          .value=${filter.search}
          @input=${parts.typed}
        />
      </div>
      ${picker(parts, "state", say("sessions.state"), [
        ["active", say("sessions.active")],
        ["ended", say("sessions.ended")],
      ])}
      ${picker(parts, "channel", say("sessions.channel"), named(parts.channels, channels, filter.channel))}
      ${picker(parts, "agentId", say("sessions.agent"), named(parts.agents, agents, filter.agentId))}
      <p class="soft small session-count" role="status">${parts.told}</p>
    </div>
  `;
}

type Choices = ReadonlyArray<readonly [value: string, words: string]>;

/** Those that are set up, those that are seen, and the one that is chosen. */
function named(known: readonly string[], seen: readonly string[], chosen: string): Choices {
  const all = new Set([...known, ...seen, ...(chosen === "" ? [] : [chosen])]);
  return [...all].sort().map((name) => [name, name]);
}

/** Left out where there is nothing to choose between. */
function picker(
  { filter, say, choose }: FilterParts,
  name: "state" | "channel" | "agentId",
  label: string,
  choices: Choices,
): TemplateResult | typeof nothing {
  const chosen = filter[name];
  if (choices.length < 2 && chosen === "") return nothing;
  return html`
    <div class="field">
      <label for="session-${name}">${label}</label>
      <select
        id="session-${name}"
        @change=${(event: Event) => choose({ [name]: (event.target as HTMLSelectElement).value })}
      >
        <option value="" ?selected=${chosen === ""}>${say("sessions.all")}</option>
        ${choices.map(
          ([value, words]) => html`<option value=${value} ?selected=${chosen === value}>${words}</option>`,
        )}
      </select>
    </div>
  `;
}
