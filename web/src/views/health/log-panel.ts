/** The end of the gateway's log, polled while it is followed. */
import type { LogLevel, LogLineView } from "@pincer/sdk";
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { View } from "../../shell/view.ts";
import { fieldsOf, filterLines } from "./log-lines.ts";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const everyMs = 2000;
const lineCount = 400;

class LogPanel extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    lines: { state: true },
    level: { state: true },
    words: { state: true },
    isFollowed: { state: true },
  };

  declare lines: LogLineView[];
  declare level: LogLevel;
  declare words: string;
  declare isFollowed: boolean;

  constructor() {
    super();
    this.lines = [];
    this.level = "info";
    this.words = "";
    this.isFollowed = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const timer = setInterval(() => {
      if (this.isFollowed && !document.hidden && this.page.link.state().type === "connected")
        void this.load();
    }, everyMs);
    this.until(() => clearInterval(timer));
  }

  protected override async load(): Promise<void> {
    const tail = await this.ask("logs.tail", { lines: lineCount, level: this.level });
    if (tail) this.lines = tail.lines;
  }

  protected override updated(changed: PropertyValues): void {
    const box = this.querySelector<HTMLElement>(".log");
    if (box && this.isFollowed && changed.has("lines")) box.scrollTop = box.scrollHeight;
  }

  protected override render(): TemplateResult {
    const { say } = this;
    const shown = filterLines(this.lines, this.words);
    return html`
      <div class="toolbar">
        <label class="field">
          <span class="label">${say("health.logs.level")}</span>
          <select
            @change=${(event: Event) => {
              this.level = (event.target as HTMLSelectElement).value as LogLevel;
              void this.load();
            }}
          >
            ${levels.map((level) => html`<option value=${level} ?selected=${level === this.level}>${level}</option>`)}
          </select>
        </label>
        <label class="field grow-field">
          <span class="label">${say("health.logs.filter")}</span>
          <input
            type="search"
            .value=${this.words}
            @input=${(event: Event) => (this.words = (event.target as HTMLInputElement).value)}
          />
        </label>
        <label class="row switch">
          <input
            type="checkbox"
            .checked=${this.isFollowed}
            @change=${(event: Event) => (this.isFollowed = (event.target as HTMLInputElement).checked)}
          />
          ${say("health.logs.follow")}
        </label>
      </div>
      <div class="code-box log" role="log" aria-live="off" tabindex="0" aria-label=${say("health.logs")}>
        ${
          shown.length === 0
            ? say("health.logs.none")
            : shown.map(
                (line) =>
                  html`<div class="log-line ${line.level}">
                    <span class="soft">${line.time.slice(11, 23)}</span>
                    <strong>${line.level}</strong> <span class="said">${line.message}</span>
                    <span class="soft">${fieldsOf(line)}</span>
                  </div>`,
              )
        }
      </div>
    `;
  }
}

customElements.define("health-log", LogPanel);
