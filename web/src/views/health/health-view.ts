/** The state of the gateway at a glance: measurements, the doctor's findings, and the log. */
import type { EventTopic, GatewayView, HealthView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { bytes, count, duration } from "../../parts/amounts.ts";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import { isTextKey } from "../../texts/texts.ts";
import "./doctor-part.ts";
import "./log-panel.ts";
import { overallStatus } from "./overall-status.ts";
import type { BackupEntry, DoctorFinding, DoctorReport, StatusReport } from "./reports.ts";
import { waitUntilBack } from "./wait-until-back.ts";

const everyMs = 5000;
const tones = { ok: "good", degraded: "warn", failing: "bad" } as const;

class HealthPage extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    health: { state: true },
    found: { state: true },
    gateway: { state: true },
    status: { state: true },
    backups: { state: true },
    backupPercent: { state: true },
    isRestarting: { state: true },
  };

  declare health: HealthView | undefined;
  /** What the doctor found; undefined before the doctor has finished. */
  declare found: readonly DoctorFinding["level"][] | undefined;
  declare gateway: GatewayView | undefined;
  declare status: StatusReport | undefined;
  declare backups: BackupEntry[] | undefined;
  declare backupPercent: number | undefined;
  declare isRestarting: boolean;

  constructor() {
    super();
    this.isRestarting = false;
  }

  protected override watched(): readonly EventTopic[] {
    return ["health", "channels"];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const timer = setInterval(() => {
      if (!document.hidden && !this.isRestarting && this.page.link.state().type === "connected")
        void this.measure();
    }, everyMs);
    this.until(() => clearInterval(timer));
  }

  protected override async load(): Promise<void> {
    const { language } = this.page;
    const [status, backups] = await Promise.all([
      this.ask("status.get", { language }),
      this.ask("backup.list", { language }),
      this.measure(),
    ]);
    this.status = (status as StatusReport | undefined) ?? this.status;
    this.backups = (backups as BackupEntry[] | undefined) ?? this.backups;
  }

  private async measure(): Promise<void> {
    const { language } = this.page;
    const [health, gateway] = await Promise.all([
      this.ask("health.get", { language }),
      this.ask("gateway.status", {}),
    ]);
    this.health = health ?? this.health;
    this.gateway = gateway ?? this.gateway;
  }

  private async backUp(): Promise<void> {
    this.backupPercent = 0;
    const onEvent = (event: string, payload: unknown) => {
      const { done, total } = payload as { done: number; total: number };
      if (event === "backup.progress" && total > 0) this.backupPercent = Math.floor((done / total) * 100);
    };
    try {
      await this.page.link.request("backup.create", { withKey: false }, { signal: this.signal, onEvent });
      this.page.tell(this.say("health.backup.done"), "good");
    } catch (error) {
      if (!this.signal.aborted) this.page.tell(this.failureWords(error), "bad");
    }
    this.backupPercent = undefined;
    await this.load();
  }

  private async restart(): Promise<void> {
    const { say } = this;
    const isSure = await this.page.confirm(say("health.restart.sure"), {
      detail: say("health.restart.detail"),
      yes: say("health.restart"),
    });
    const before = this.gateway?.startedAt;
    if (!isSure || before === undefined) return;
    this.isRestarting = true;
    if (await this.ask("gateway.restart", {})) {
      const isBack = await waitUntilBack(before, {
        startedAt: async () => (await this.page.link.request("gateway.status", {})).startedAt,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      });
      this.page.tell(say(isBack ? "health.restarted" : "health.restart.away"), isBack ? "good" : "bad");
    }
    this.isRestarting = false;
    await this.load();
  }

  private get mayControl(): boolean {
    return this.page.me.role === "owner" || this.page.me.role === "admin";
  }

  protected override render(): TemplateResult {
    const { say } = this;
    return html`
      <div class="page-head">
        <h1>${say("health.title")}</h1>
        ${this.headline()}
        <span class="grow"></span>
        ${
          this.mayControl
            ? html`<button type="button" ?disabled=${this.isRestarting} @click=${() => void this.restart()}>
                ${icon("retry")} ${say("health.restart")}
              </button>`
            : nothing
        }
      </div>
      ${this.isRestarting ? html`<p class="note warn" role="status"><span class="spinner"></span> ${say("health.restarting")}</p>` : nothing}
      <div class="stack wide-gap">
        ${this.checks()} ${this.glance()}
        <health-doctor
          .page=${this.page}
          @examined=${(event: CustomEvent<DoctorReport>) => (this.found = event.detail.checks.map(({ level }) => level))}
        ></health-doctor>
        ${
          this.page.me.role === "viewer"
            ? nothing
            : html`
                <section class="stack" aria-labelledby="log-head">
                  <h2 id="log-head">${say("health.logs")}</h2>
                  <health-log .page=${this.page}></health-log>
                </section>
              `
        }
      </div>
    `;
  }

  private headline(): TemplateResult {
    const { say, health, found } = this;
    const status = overallStatus(health?.status, found);
    if (status === undefined) return html`<span class="soft">${say("health.status.unknown")}</span>`;
    return html`<span role=${this.lostAt === undefined ? "status" : nothing}
      >${this.badge(tones[status], say(`health.status.${status}`))}</span
    >`;
  }

  private checks(): TemplateResult {
    const { say, health } = this;
    return html`
      <section class="stack" aria-labelledby="checks-head">
        <h2 id="checks-head">${say("health.checks")}</h2>
        <ul class="check-grid">
          ${(health?.checks ?? []).map(({ name, status, reason }) => {
            const key = `health.check.${name}`;
            return html`
              <li class="check ${this.tone(tones[status])}">
                <span class="dot" aria-hidden="true"></span>
                <span class="grow"
                  ><strong>${isTextKey(key) ? say(key) : name}</strong>
                  ${reason ? html`<span class="small block break">${reason}</span>` : nothing}</span
                >
                <span class="small">${this.asKnown(say(`health.level.${status}`))}</span>
              </li>
            `;
          })}
        </ul>
      </section>
    `;
  }

  private glance(): TemplateResult {
    const { say, gateway, status, backups } = this;
    const { language } = this.page;
    const gauges = gateway?.gauges;
    const last = backups?.find(({ type }) => type === "backup");
    const tile = (name: string, value: unknown) =>
      html`<div class="tile">
        <dt>${name}</dt>
        <dd class="break">${value ?? "–"}</dd>
      </div>`;
    const oldest = gauges?.queue.oldestSeconds;
    return html`
      <section class="stack" aria-labelledby="glance-head">
        <h2 id="glance-head">${say("health.glance")}</h2>
        <dl class="tiles">
          ${tile(say("health.version"), gateway?.version)}
          ${tile(say("health.uptime"), gauges && duration(gauges.uptimeSeconds * 1000, language))}
          ${tile(say("health.memory"), gauges && bytes(gauges.memory.rssBytes))}
          ${tile(say("health.loop"), gauges && `${gauges.eventLoop.p99Ms.toFixed(1)} ms`)}
          ${tile(
            say("health.turns"),
            gateway &&
              say("health.turns.words", { running: gateway.turns.running, waiting: gateway.turns.waiting }),
          )}
          ${tile(
            say("health.oldest"),
            gauges &&
              (oldest === null || oldest === undefined
                ? say("health.nobody")
                : duration(oldest * 1000, language)),
          )}
          ${tile(say("health.outbox"), gateway && count(gateway.outbox.waiting, language))}
          ${tile(
            say("health.dead"),
            gauges && (gauges.deadLetters > 0 ? html`<a href="#/channels">${gauges.deadLetters}</a>` : 0),
          )}
          ${tile(
            say("health.requests"),
            gauges &&
              say("health.requests.words", {
                rate: gauges.requests.perSecond.toFixed(1),
                most: gauges.requests.p95Ms === null ? "–" : duration(gauges.requests.p95Ms, language),
              }),
          )}
          ${tile(say("health.connections"), gauges?.connections)}
          ${tile(say("health.database"), gauges && (gauges.databaseBytes === null ? null : bytes(gauges.databaseBytes)))}
          ${tile(say("health.free"), status && (status.disk.freeBytes === null ? null : bytes(status.disk.freeBytes)))}
          ${tile(say("health.address"), gateway?.address)} ${tile(say("health.home"), status?.home)}
          ${tile(
            say("health.backups"),
            html`${last ? html`${time(last.manifest?.createdAt, language)} (${bytes(last.sizeBytes ?? 0)})` : backups && say("health.backups.none")}
            ${
              this.mayControl
                ? html`<button
                    type="button"
                    class="small-button"
                    ?disabled=${this.backupPercent !== undefined}
                    @click=${() => void this.backUp()}
                  >
                    ${this.backupPercent === undefined ? say("health.backup.make") : say("health.backup.going", { percent: this.backupPercent })}
                  </button>`
                : nothing
            }`,
          )}
        </dl>
      </section>
    `;
  }
}

customElements.define("view-health", HealthPage);
