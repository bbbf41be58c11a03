/** What was asked and what came of it, newest first. `#/runs/<id>` is one run; `#/runs/of/<key>` are those of one session. */
import type { EventTopic, RunView } from "@pincer/sdk";
import type { Language } from "../../texts/texts.ts";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { count, duration, money } from "../../parts/amounts.ts";
import { empty } from "../../parts/empty.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import { keyName } from "../sessions/session-name.ts";
import "../usage/series.css";
import "./run-detail.ts";
import { refreshed, withFurther } from "./run-pages.ts";
import { stateBadge } from "./run-words.ts";
import "../../style/control.css";
import "./runs.css";

const pageSize = 50;
const states = ["queued", "running", "waiting", "done", "failed", "dead"] as const;
type State = (typeof states)[number];

class RunsView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    runs: { state: true },
    isLoaded: { state: true },
    hasMore: { state: true },
    state: { state: true },
  };

  declare runs: RunView[];
  declare isLoaded: boolean;
  declare hasMore: boolean;
  declare state: "" | State;

  constructor() {
    super();
    this.runs = [];
    this.isLoaded = false;
    this.hasMore = false;
    this.state = "";
  }

  protected override watched(): readonly EventTopic[] {
    return ["runs"];
  }

  private get sessionKey(): string | undefined {
    return this.rest.startsWith("of/") ? this.rest.slice("of/".length) : undefined;
  }

  private get isDetail(): boolean {
    return this.rest !== "" && this.sessionKey === undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("rest") && changed.get("rest") !== undefined) this.startOver();
  }

  private startOver(): void {
    this.isLoaded = false;
    this.runs = [];
    void this.load();
  }

  private asked() {
    const { sessionKey, state } = this;
    return {
      ...(sessionKey === undefined ? {} : { sessionKey }),
      ...(state === "" ? {} : { states: [state] }),
    };
  }

  /** As many as are shown, anew. */
  protected override async load(): Promise<void> {
    if (this.isDetail) return;
    const asked = this.asked();
    const limit = Math.min(Math.max(pageSize, this.runs.length), 500);
    const found = await this.ask("runs.list", { limit, ...asked });
    if (!found || JSON.stringify(asked) !== JSON.stringify(this.asked())) return;
    const isFull = found.runs.length === limit;
    this.runs = refreshed(this.runs, found.runs, isFull);
    if (this.runs.length === found.runs.length) this.hasMore = isFull;
    this.isLoaded = true;
  }

  private async readMore(): Promise<void> {
    const last = this.runs.at(-1);
    if (!last) return;
    const asked = this.asked();
    const found = await this.ask("runs.list", { limit: pageSize, before: last.position, ...asked });
    if (!found || JSON.stringify(asked) !== JSON.stringify(this.asked())) return;
    this.runs = withFurther(this.runs, found.runs);
    this.hasMore = found.runs.length === pageSize;
  }

  protected override render(): TemplateResult {
    if (this.isDetail) return html`<run-detail .page=${this.page} .runId=${this.rest}></run-detail>`;
    const { say } = this;
    const isFiltered = this.state !== "" || this.sessionKey !== undefined;
    const nobody = say(isFiltered ? "runs.no-match" : "runs.none");
    return html`
      <header class="page-head">
        <div class="grow">
          <h1>${say("runs.title")}</h1>
          <p class="soft">${say("runs.about")}</p>
        </div>
      </header>
      ${this.toolbar()} ${this.isLoaded && this.runs.length === 0 ? empty(nobody) : this.table()}
      ${
        this.hasMore
          ? html`<p class="empty">
              <button type="button" @click=${() => void this.readMore()}>${say("runs.more")}</button>
            </p>`
          : nothing
      }
    `;
  }

  private toolbar(): TemplateResult {
    const { say, sessionKey } = this;
    const chosen = (event: Event) => {
      this.state = (event.target as HTMLSelectElement).value as "" | State;
      this.startOver();
    };
    const meant = (event: SubmitEvent) => {
      event.preventDefault();
      const key = new FormData(event.target as HTMLFormElement).get("session");
      const words = typeof key === "string" ? key.trim() : "";
      this.page.go(words === "" ? "/runs" : `/runs/of/${encodeURIComponent(words)}`);
    };
    return html`
      <div class="toolbar">
        <div class="field">
          <label for="run-state">${say("runs.state")}</label>
          <select id="run-state" @change=${chosen}>
            <option value="" ?selected=${this.state === ""}>${say("runs.all")}</option>
            ${states.map(
              (state) => html`
                <option value=${state} ?selected=${this.state === state}>
                  ${say(`runs.state.${state}`)}
                </option>
              `,
            )}
          </select>
        </div>
        <form class="field run-session" @submit=${meant}>
          <label for="run-session">${say("runs.session")}</label>
          <input
            id="run-session"
            name="session"
            type="search"
            placeholder=${say("runs.session.hint")}
            .value=${sessionKey ?? ""}
          />
        </form>
        ${sessionKey === undefined ? nothing : html`<a class="button" href="#/runs">${say("runs.clear")}</a>`}
      </div>
    `;
  }

  private table(): TemplateResult {
    const { say } = this;
    return html`
      <div class="runs-frame">
        <table class="table cards-on-phone" aria-label=${say("runs.list")}>
          <thead>
            <tr>
              <th scope="col">${say("runs.state")}</th>
              <th scope="col">${say("runs.in")}</th>
              <th scope="col">${say("runs.when")}</th>
              <th scope="col" class="number">${say("runs.took")}</th>
              <th scope="col">${say("runs.model")}</th>
              <th scope="col" class="number">${say("runs.tokens")}</th>
              <th scope="col" class="number">${say("runs.cost")}</th>
            </tr>
          </thead>
          <tbody>
            ${this.runs.map((run) => this.row(run))}
          </tbody>
        </table>
      </div>
    `;
  }

  private row(run: RunView): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    const { sum } = run;
    return html`
      <tr>
        <td><a class="run-link" href="#/runs/${run.runId}">${stateBadge(run, this.asOf)}</a></td>
        <td class="break">
          <a href="#/runs/${run.runId}">${keyName(run.sessionKey, say)}</a>
          <span class="soft small">${run.person.name ?? run.person.id}</span>
        </td>
        <td>${time(run.queuedAt, language)}</td>
        <td class="number" data-label=${say("runs.took")}>${took(run, language)}</td>
        <td class="break small">${sum?.models.join(", ") ?? ""}</td>
        <td class="number" data-label=${say("runs.tokens")}>${sum ? count(sum.total, language) : ""}</td>
        <td class="number" data-label=${say("runs.cost")}>
          ${sum ? (sum.unpriced > 0 && sum.cost === 0 ? say("runs.unpriced") : money(sum.cost)) : ""}
        </td>
      </tr>
    `;
  }
}

const took = ({ startedAt, endedAt }: RunView, language: Language): string =>
  startedAt === null || endedAt === null
    ? ""
    : duration(Date.parse(endedAt) - Date.parse(startedAt), language);

if (!customElements.get("view-runs")) customElements.define("view-runs", RunsView);
