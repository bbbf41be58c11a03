/** One run: its state, and its timeline, which grows while the run works. */
import { closingIn, type EventTopic, type MethodResults } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { count, duration, money } from "../../parts/amounts.ts";
import { copyButton } from "../../parts/copy-button.ts";
import { empty } from "../../parts/empty.ts";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import { rightsOf } from "../../shell/rights.ts";
import { changesNote } from "../approvals/changes-fold.ts";
import { dryRunList } from "../approvals/dry-run-list.ts";
import { grantedList } from "../approvals/granted-list.ts";
import { keyName } from "../sessions/session-name.ts";
import { layTimeline, type Timeline } from "./lay-timeline.ts";
import { endingWords, stateBadge } from "./run-words.ts";
import { waterfall } from "./waterfall.ts";

type Story = MethodResults["runs.events"];
type Replay = MethodResults["runs.replay"];

/** While it works, steps are looked for this often. */
const followMs = 1000;

class RunDetail extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    runId: { attribute: false },
    story: { state: true },
    problem: { state: true },
    now: { state: true },
    opened: { state: true },
    replay: { state: true },
    isReplaying: { state: true },
  };

  declare runId: string;
  declare story: Story | undefined;
  declare problem: string | undefined;
  declare now: number;
  /** Rows whose details are shown. */
  declare opened: ReadonlySet<string>;
  declare replay: Replay | undefined;
  declare isReplaying: boolean;
  private following: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.runId = "";
    this.now = Date.now();
    this.opened = new Set();
    this.isReplaying = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.until(() => clearTimeout(this.following));
  }

  protected override watched(): readonly EventTopic[] {
    return ["runs", "approvals"];
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("runId") || changed.get("runId") === undefined || changed.get("runId") === "") return;
    this.story = undefined;
    this.replay = undefined;
    this.opened = new Set();
    void this.load();
  }

  protected override async load(): Promise<void> {
    clearTimeout(this.following);
    const { runId, signal } = this;
    try {
      const story = await this.page.link.request("runs.events", { runId }, { signal });
      if (runId !== this.runId) return;
      this.story = story;
      this.now = Date.now();
      this.problem = undefined;
      const isLive = story.run.endedAt === null && story.run.state === "running";
      if (isLive && !signal.aborted) this.following = setTimeout(() => void this.load(), followMs);
    } catch (error) {
      if (!signal.aborted && runId === this.runId) this.problem = this.failureWords(error);
    }
  }

  private async play(): Promise<void> {
    const { runId } = this;
    this.isReplaying = true;
    const replay = await this.ask("runs.replay", { runId });
    this.isReplaying = false;
    if (runId === this.runId) this.replay = replay;
  }

  private toggle(key: string): void {
    const opened = new Set(this.opened);
    if (!opened.delete(key)) opened.add(key);
    this.opened = opened;
  }

  protected override render(): TemplateResult {
    const { say, story } = this;
    const back = html`<a class="session-back" href="#/runs">← ${say("runs.back")}</a>`;
    if (!story) return html`${back} ${empty(this.problem ?? say("shell.loading"))}`;
    const timeline = layTimeline(story, this.now);
    return html`
      <div class="stack">
        <div>
          ${back}
          <header class="page-head run-head">
            <div class="grow">
              <h1>${keyName(story.run.sessionKey, say)}</h1>
              <p class="soft small">
                ${say("runs.run", { id: story.run.runId })} ${copyButton(story.run.runId, say)}
              </p>
            </div>
            <span>${stateBadge(story.run, this.asOf)}</span>
          </header>
          ${this.buttons(story)}
        </div>
        ${this.verdict()} ${this.figures(story, timeline)} ${this.closings(story)}
        ${waterfall({
          timeline,
          opened: this.opened,
          toggle: (key) => this.toggle(key),
          say,
          language: this.page.language,
        })}
      </div>
    `;
  }

  private buttons({ run }: Story): TemplateResult {
    const { say } = this;
    const isOver = run.endedAt !== null;
    return html`
      <div class="row">
        <a class="button" href="#/chat/${encodeURIComponent(run.sessionKey)}"
          >${icon("chat")} ${say("sessions.open")}</a
        >
        ${
          isOver
            ? html`<button
                type="button"
                title=${say("runs.replay.about")}
                ?disabled=${this.isReplaying}
                @click=${() => void this.play()}
              >
                ${icon("retry")} ${say(this.isReplaying ? "runs.replaying" : "runs.replay")}
              </button>`
            : html`<button
                type="button"
                class="danger"
                @click=${() => void this.ask("agent.abort", { runId: run.runId })}
              >
                ${icon("stop")} ${say("runs.stop")}
              </button>`
        }
      </div>
    `;
  }

  private verdict(): TemplateResult | typeof nothing {
    const { say, replay } = this;
    if (!replay) return nothing;
    if (replay.same)
      return html`<p class="note good" role="status">
        ${say("runs.replay.same", { count: replay.stored })}
      </p>`;
    const { difference, ending } = replay;
    const ended = { stored: ending.stored ?? "–", replayed: ending.replayed ?? "–" };
    return html`
      <div class="note bad stack tight" role="status">
        ${difference ? html`<p>${say("runs.replay.differs", { at: difference.at })}</p>` : nothing}
        ${ended.stored === ended.replayed ? nothing : html`<p>${say("runs.replay.ending", ended)}</p>`}
        ${
          difference
            ? (["stored", "replayed"] as const).map(
                (side) => html`
                  <details>
                    <summary>${say(`runs.replay.${side}`)}</summary>
                    <pre class="code-box">${JSON.stringify(difference[side], null, 2)}</pre>
                  </details>
                `,
              )
            : nothing
        }
      </div>
    `;
  }

  private seen(turnId: string): void {
    if (rightsOf(this.page.me).isOwner) void this.ask("undo.seen", { turnId });
  }

  private closings({ events }: Story): TemplateResult | typeof nothing {
    const entries = events.flatMap((event) => (event.type === "entry" ? [event.entry] : []));
    const [turn, run] = [closingIn(entries, "granted"), closingIn(entries, "dry-run")];
    const changes = closingIn(entries, "changes");
    if (!turn && !run && !changes) return nothing;
    return html`
      <section class="card stack tight">
        ${turn ? grantedList(turn, this.say) : nothing}
        ${changes ? changesNote(changes, this.say, () => this.seen(changes.turnId)) : nothing}
        ${run ? dryRunList(run, this.say) : nothing}
      </section>
    `;
  }

  private figures({ run, calls }: Story, { rows, length }: Timeline): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    const { sum } = run;
    const waited = run.startedAt === null ? 0 : Date.parse(run.startedAt) - Date.parse(run.queuedAt);
    const tools = rows.filter(({ kind }) => kind === "tool").length;
    const failed = calls.filter(({ outcome }) => !["ok", "aborted", "open"].includes(outcome)).length;
    const figure = (name: string, value: unknown, more: unknown = nothing) => html`
      <div>
        <dt>${name}</dt>
        <dd><strong>${value}</strong> <span class="soft small">${more}</span></dd>
      </div>
    `;
    return html`
      <dl class="card run-figures">
        ${figure(
          say("runs.took"),
          duration(length - waited, language),
          waited >= 1 ? say("runs.waited", { time: duration(waited, language) }) : nothing,
        )}
        ${figure(say("runs.begun"), time(run.startedAt ?? run.queuedAt, language))}
        ${figure(
          say("runs.ending"),
          run.ending ? endingWords(run.ending, say) : say("runs.still"),
          run.claims > 1 ? say("runs.claims", { count: run.claims }) : nothing,
        )}
        ${figure(
          say("runs.calls"),
          count(calls.length, language),
          failed > 0 ? say("sessions.failures", { count: failed }) : nothing,
        )}
        ${figure(say("runs.tools"), count(tools, language))}
        ${figure(say("runs.tokens"), sum ? count(sum.total, language) : "0")}
        ${figure(
          say("runs.cost"),
          sum ? money(sum.cost) : money(0),
          sum && sum.unpriced > 0 ? say("runs.unpriced") : nothing,
        )}
        ${figure(say("runs.model"), html`<span class="break">${sum?.models.join(", ") ?? "–"}</span>`)}
      </dl>
    `;
  }
}

if (!customElements.get("run-detail")) customElements.define("run-detail", RunDetail);
