/** `<health-doctor .page>`: what the doctor finds, what to do about it, and the guide that says more. `examined` tells the report. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { View } from "../../shell/view.ts";
import type { DoctorFinding, DoctorReport } from "./reports.ts";

const tones = { ok: "good", warning: "warn", problem: "bad" } as const;

class HealthDoctor extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    doctor: { state: true },
    doctorAt: { state: true },
  };

  declare doctor: DoctorReport | undefined;
  /** What the doctor looks at now. */
  declare doctorAt: string | undefined;

  protected override load(): Promise<void> {
    return this.consult();
  }

  /** A gateway that is back may be another one. */
  protected override recall(): Promise<void> {
    return this.consult();
  }

  private async consult(): Promise<void> {
    if (this.doctorAt !== undefined) return;
    this.doctorAt = "…";
    const onEvent = (event: string, payload: unknown) => {
      if (event === "doctor.progress") this.doctorAt = (payload as { title: string }).title;
    };
    try {
      const { language } = this.page;
      const report = await this.page.link.request(
        "doctor.run",
        { language },
        { signal: this.signal, onEvent },
      );
      this.doctor = report as DoctorReport;
      this.dispatchEvent(new CustomEvent("examined", { detail: report }));
    } catch (error) {
      if (!this.signal.aborted) this.page.tell(this.failureWords(error), "bad");
    } finally {
      this.doctorAt = undefined;
    }
  }

  protected override render(): TemplateResult {
    const { say, doctor } = this;
    const found = (doctor?.checks ?? []).filter(({ level }) => level !== "ok");
    return html`
      <section class="stack" aria-labelledby="doctor-head">
        <div class="row">
          <h2 id="doctor-head" class="grow">${say("health.doctor")}</h2>
          <button type="button" ?disabled=${this.doctorAt !== undefined} @click=${() => void this.consult()}>
            ${say("health.doctor.run")}
          </button>
        </div>
        <p role="status" class=${this.doctorAt === undefined ? "visually-hidden" : "soft"}>
          ${this.doctorAt === undefined ? "" : say("health.doctor.going", { title: this.doctorAt })}
        </p>
        ${doctor && found.length === 0 ? html`<p class="note ${this.tone("good")}">${this.asKnown(say("health.doctor.well"))}</p>` : nothing}
        ${found.map(
          ({ title, level, findings, guide }) => html`
            <article class="card ${this.tone(tones[level])}">
              <div class="row">
                <h3 class="grow">${title}</h3>
                ${this.badge(tones[level], say(`health.level.${level}`))}
              </div>
              ${findings.filter((each) => each.level !== "ok").map((each) => this.finding(each, guide))}
            </article>
          `,
        )}
        ${doctor ? this.allChecks(doctor) : nothing}
      </section>
    `;
  }

  private finding({ message, next, guide }: DoctorFinding, usualGuide: string | undefined): TemplateResult {
    const { say } = this;
    const page = guide ?? usualGuide;
    return html`
      <div class="stack tight">
        <p class="break">${message}</p>
        ${next ? html`<p class="break"><strong>${say("health.doctor.next")}:</strong> ${next}</p>` : nothing}
        ${page ? html`<p><a href=${guideLink(page)} target="_blank" rel="noopener">${say("health.guide")}: ${page}</a></p>` : nothing}
      </div>
    `;
  }

  private allChecks(doctor: DoctorReport): TemplateResult {
    const { say } = this;
    return html`
      <details>
        <summary>${say("health.doctor.all", { count: doctor.checks.length })}</summary>
        <ul class="check-grid">
          ${doctor.checks.map(
            ({ title, level, findings }) => html`
              <li class="check ${this.tone(tones[level])}">
                <span class="dot" aria-hidden="true"></span>
                <span class="grow"
                  ><strong>${title}</strong>
                  ${findings.map(({ message }) => html`<span class="small block break">${message}</span>`)}</span
                >
                <span class="small">${this.asKnown(say(`health.level.${level}`))}</span>
              </li>
            `,
          )}
        </ul>
      </details>
    `;
  }
}

/** `telegram`, or `telegram#when-it-fails`. */
const guideLink = (guide: string): string => (guide.startsWith("/") ? guide : `/docs/${guide}`);

customElements.define("health-doctor", HealthDoctor);
