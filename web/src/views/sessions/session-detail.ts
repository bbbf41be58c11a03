/** One session: its facts, its usage, its marks, and what its next request would contain. */
import type { EventTopic, MethodResults, SessionView } from "@pincer/sdk";
import { LinkError } from "@pincer/sdk/client";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { count, money } from "../../parts/amounts.ts";
import { copyButton } from "../../parts/copy-button.ts";
import { empty } from "../../parts/empty.ts";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import "./context-inspector.ts";
import type { SessionActions } from "./session-actions.ts";
import { chatAddress, sessionName } from "./session-name.ts";

class SessionDetail extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    sessionId: { attribute: false },
    actions: { attribute: false },
    session: { state: true },
    isGone: { state: true },
    isCompacting: { state: true },
    used: { state: true },
    marks: { state: true },
  };

  declare sessionId: string;
  declare actions: SessionActions | undefined;
  declare session: SessionView | undefined;
  declare isGone: boolean;
  declare isCompacting: boolean;
  declare used: MethodResults["usage.totals"]["session"] | undefined;
  declare marks: MethodResults["tape.anchors"]["marks"];

  constructor() {
    super();
    this.sessionId = "";
    this.isGone = false;
    this.isCompacting = false;
    this.marks = [];
  }

  protected override watched(): readonly EventTopic[] {
    return ["sessions"];
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("sessionId") || changed.get("sessionId") === undefined || !this.isConnected) return;
    this.session = undefined;
    this.isGone = false;
    void this.load();
  }

  protected override async load(): Promise<void> {
    const { sessionId, signal } = this;
    try {
      const found = await this.page.link.request("sessions.find", { sessionKey: sessionId }, { signal });
      if (sessionId !== this.sessionId) return;
      this.session = found;
      this.isGone = false;
    } catch (error) {
      if (signal.aborted || sessionId !== this.sessionId) return;
      this.isGone = error instanceof LinkError && /^session\/(?:not-found|bad-key)$/.test(error.reason ?? "");
      if (!this.isGone) this.page.tell(this.failureWords(error), "bad");
      return;
    }
    const [used, marks] = await Promise.all([
      this.ask("usage.totals", { sessionKey: sessionId }),
      this.ask("tape.anchors", { sessionKey: sessionId, limit: 20 }),
    ]);
    if (sessionId !== this.sessionId) return;
    this.used = used?.session;
    this.marks = marks?.marks ?? [];
  }

  protected override render(): TemplateResult {
    const { say, session } = this;
    const back = html`<a class="session-back" href="#/sessions">← ${say("sessions.back")}</a>`;
    if (this.isGone) return html`${back} ${empty(say("sessions.gone"))}`;
    if (!session) return html`${back} ${empty(say("shell.loading"))}`;
    const name = sessionName(session, say);
    return html`
      <div class="stack">
        <div>
          ${back}
          <header class="page-head session-head">
            <h1 class="grow break">${name}</h1>
            ${
              session.state === "active"
                ? this.badge("good", say("sessions.active"))
                : html`<span class="badge">${say("sessions.ended")}</span>`
            }
          </header>
          ${this.buttons(session, name)}
        </div>
        ${
          this.isCompacting
            ? html`<p class="note" role="status">
                <span class="spinner" aria-hidden="true"></span> ${say("sessions.compacting")}
              </p>`
            : nothing
        }
        ${this.facts(session)}
        <context-inspector .page=${this.page} .session=${session}></context-inspector>
        ${this.marks.length === 0 ? nothing : this.markList()}
      </div>
    `;
  }

  private buttons(session: SessionView, name: string): TemplateResult | typeof nothing {
    const { say, actions } = this;
    if (!actions) return nothing;
    const isOver = session.state === "ended";
    return html`
      <div class="row">
        <a class="button primary" href="#${chatAddress(session)}">${icon("chat")} ${say("sessions.open")}</a>
        <button type="button" ?disabled=${!actions.mayWrite} @click=${() => actions.rename(session)}>
          ${icon("edit")} ${say("sessions.rename")}
        </button>
        ${
          isOver
            ? nothing
            : html`
                <button
                  type="button"
                  ?disabled=${!actions.mayWrite || this.isCompacting}
                  @click=${() => void this.compact(session)}
                >
                  ${icon("down")} ${say("sessions.compact")}
                </button>
                <button
                  type="button"
                  ?disabled=${!actions.mayWrite}
                  @click=${() => void this.reset(session, name)}
                >
                  ${icon("retry")} ${say("sessions.reset")}
                </button>
              `
        }
        <button type="button" @click=${() => actions.download(session, "markdown")}>
          ${icon("download")} ${say("sessions.export.markdown")}
        </button>
        <button type="button" @click=${() => actions.download(session, "jsonl")}>
          ${icon("download")} ${say("sessions.export.json")}
        </button>
        <button
          type="button"
          class="danger"
          ?disabled=${!actions.mayDelete}
          @click=${() => void this.drop(session, name)}
        >
          ${icon("trash")} ${say("sessions.delete")}
        </button>
      </div>
    `;
  }

  private async compact(session: SessionView): Promise<void> {
    this.isCompacting = true;
    await this.actions?.compact(session);
    this.isCompacting = false;
    await this.load();
  }

  private async reset(session: SessionView, name: string): Promise<void> {
    const begun = await this.actions?.reset(session, name);
    if (begun !== undefined) this.page.go(`/sessions/${begun}`);
  }

  private async drop(session: SessionView, name: string): Promise<void> {
    if (await this.actions?.remove(session, name)) this.page.go("/sessions");
  }

  private facts(session: SessionView): TemplateResult {
    const { say, used } = this;
    const { language } = this.page;
    const number = (value: number) => count(value, language);
    const model = session.settings["model"];
    return html`
      <section class="card" aria-labelledby="session-facts">
        <h2 id="session-facts">${say("sessions.facts")}</h2>
        <dl class="fact-grid">
          ${fact(
            say("sessions.key"),
            html`<code class="break">${session.sessionKey}</code> ${copyButton(session.sessionKey, say)}`,
          )}
          ${fact(
            say("sessions.id"),
            html`<code class="break">${session.sessionId}</code> ${copyButton(session.sessionId, say)}`,
          )}
          ${fact(say("sessions.channel"), session.origin.channel)}
          ${fact(say("sessions.agent"), session.agentId)}
          ${fact(say("sessions.begun"), time(session.createdAt, language))}
          ${fact(say("sessions.updated"), time(session.updatedAt, language))}
          ${fact(
            say("sessions.count"),
            html`${number(session.messageCount)}
            ${
              session.compactedMessageCount > 0
                ? html`<span class="soft small"
                    >(${say("sessions.summed", { count: number(session.compactedMessageCount) })})</span
                  >`
                : nothing
            }`,
          )}
          ${fact(say("sessions.memory"), say(session.memoryEnabled ? "sessions.on" : "sessions.off"))}
          ${model === undefined ? nothing : fact(say("sessions.model"), html`<code class="break">${model}</code>`)}
          ${fact(
            say("sessions.used"),
            html`${number(session.tokens.total)}
              <span class="soft small"
                >${say("sessions.used.parts", {
                  input: number(session.tokens.input),
                  output: number(session.tokens.output),
                })}</span
              >`,
          )}
          ${used ? fact(say("sessions.cost"), money(used.cost)) : nothing}
          ${
            used
              ? fact(
                  say("sessions.calls"),
                  html`${number(used.calls)}
                  ${used.failures > 0 ? html`<span class="badge bad">${say("sessions.failures", { count: used.failures })}</span>` : nothing}`,
                )
              : nothing
          }
        </dl>
        <p><a href="#/runs/of/${encodeURIComponent(session.sessionKey)}">${say("sessions.runs")}</a></p>
      </section>
    `;
  }

  private markList(): TemplateResult {
    const { say } = this;
    return html`
      <section class="card" aria-labelledby="session-marks">
        <h2 id="session-marks">${say("sessions.marks")}</h2>
        <ol class="session-marks">
          ${this.marks.map(
            ({ type, name, summary, time: when }) => html`
              <li>
                <details>
                  <summary>
                    <span class="badge"
                      >${say(type === "anchor" ? "sessions.mark.anchor" : "sessions.mark.summary")}</span
                    >
                    ${type === "anchor" ? name : nothing}
                    <span class="soft small">${time(when, this.page.language)}</span>
                  </summary>
                  <pre class="code-box">${summary === "" ? "–" : summary}</pre>
                </details>
              </li>
            `,
          )}
        </ol>
      </section>
    `;
  }
}

const fact = (name: string, value: unknown): TemplateResult => html`
  <div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>
`;

if (!customElements.get("session-detail")) customElements.define("session-detail", SessionDetail);
