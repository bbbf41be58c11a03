/** What each day took, as a bar of the names it went to: seen, walked through with the keys, and read as a table. */
import { html, LitElement, nothing, svg, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Language, Say } from "../../texts/texts.ts";
import { count, money } from "../../parts/amounts.ts";
import { dayLabels, layBars, valueTicks, type Metric, type Stacks } from "./usage-figures.ts";

const height = 240;
/** Half of what the name of a day takes. */
const labelWidth = 30;

class DailyChart extends LitElement {
  static override properties: PropertyDeclarations = {
    stacks: { attribute: false },
    metric: { attribute: false },
    say: { attribute: false },
    language: { attribute: false },
    nameOf: { attribute: false },
    width: { state: true },
    chosen: { state: true },
  };

  declare stacks: Stacks;
  declare metric: Metric;
  declare say: Say;
  declare language: Language;
  declare nameOf: (key: string) => string;
  declare width: number;
  /** The day whose figures are shown. */
  declare chosen: number | undefined;
  private sizes: ResizeObserver | undefined;

  constructor() {
    super();
    this.width = 720;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes = new ResizeObserver(([entry]) => {
      if (entry) this.width = Math.max(280, Math.round(entry.contentRect.width));
    });
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes?.disconnect();
  }

  private value(amount: number): string {
    return this.metric === "cost" ? money(amount) : count(amount, this.language);
  }

  private name(series: number): string {
    const key = this.stacks.series[series];
    return key === undefined ? this.say("usage.others") : this.nameOf(key);
  }

  /** The last one stands for all others, and has the quietest colour. */
  private colour(series: number): string {
    return `series-${series < this.stacks.series.length ? series + 1 : 6}`;
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const last = this.stacks.days.length - 1;
    const at = this.chosen ?? last + 1;
    const next = {
      ArrowLeft: Math.max(0, at - 1),
      ArrowRight: Math.min(last, at + 1),
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Escape") this.chosen = undefined;
    if (next === undefined) return;
    event.preventDefault();
    this.chosen = next;
  };

  protected override render(): TemplateResult {
    const { say, stacks } = this;
    const title = say(this.metric === "cost" ? "usage.chart.cost" : "usage.chart.tokens");
    return html`
      <h2>${title}</h2>
      <ul class="legend">
        ${this.seriesNumbers().map(
          (series) =>
            html`<li>
              <span class="swatch ${this.colour(series)}"></span>
              <span class="clip">${this.name(series)}</span>
            </li>`,
        )}
      </ul>
      <div
        class="chart"
        role="group"
        tabindex="0"
        aria-label=${`${title}. ${say("usage.chart.hint")}`}
        @keydown=${this.keyPressed}
        @pointerleave=${() => (this.chosen = undefined)}
        @blur=${() => (this.chosen = undefined)}
      >
        ${this.drawing()}
      </div>
      <div class="chart-figures small" aria-live="polite">
        ${this.chosen === undefined ? html`<span class="soft">${say("usage.chart.hint")}</span>` : this.figures(this.chosen)}
      </div>
      <details>
        <summary>${say("usage.as-table")}</summary>
        <div class="scroll-x" tabindex="0" role="region" aria-label=${title}>${this.table(stacks)}</div>
      </details>
    `;
  }

  private seriesNumbers(): number[] {
    const { series, hasOthers } = this.stacks;
    return Array.from({ length: series.length + (hasOthers ? 1 : 0) }, (_, index) => index);
  }

  private drawing(): TemplateResult {
    const { stacks, width } = this;
    const ticks = valueTicks(stacks.highest);
    const top = ticks.at(-1) ?? 1;
    const left = Math.max(...ticks.map((tick) => this.value(tick).length)) * 7 + 10;
    const box = { width, height, left, bottom: 22, top: 8, right: 16 };
    const bars = layBars(stacks.days, box, top);
    const tall = height - box.bottom - box.top;
    const heightOf = (value: number) => box.top + tall - (value / top) * tall;
    const range = stacks.days.map(({ day }) => day);
    const labels = dayLabels(range, Math.max(2, Math.floor((width - left) / 64)));
    const slot = (width - left - box.right) / Math.max(range.length, 1);
    return html`
      <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} aria-hidden="true">
        ${ticks.map(
          (tick) => svg`
            <line class="chart-line" x1=${left} x2=${width} y1=${heightOf(tick)} y2=${heightOf(tick)} />
            <text class="chart-text" x=${left - 6} y=${heightOf(tick) + 4} text-anchor="end">${this.value(tick)}</text>
          `,
        )}
        ${bars.map(
          ({ x, width: wide, pieces }, index) => svg`
            <g class="chart-day ${this.chosen === index ? "chosen" : ""}" @pointerenter=${() => (this.chosen = index)}>
              <rect class="chart-ground" x=${left + index * slot} y=${box.top} width=${slot} height=${tall} />
              ${pieces.map(
                ({ series, y, height: high }) => svg`
                  <rect class=${this.colour(series)} x=${x} y=${y} width=${wide} height=${Math.max(high, 0.5)} />
                `,
              )}
            </g>
          `,
        )}
        ${labels.map((index) => {
          const middle = left + (index + 0.5) * slot;
          const isLast = middle + labelWidth > width;
          return svg`
            <text
              class="chart-text"
              x=${isLast ? width : middle}
              y=${height - 6}
              text-anchor=${isLast ? "end" : "middle"}
            >${this.dayName(range[index] ?? "")}</text>
          `;
        })}
      </svg>
    `;
  }

  private dayName(day: string): string {
    const format = new Intl.DateTimeFormat(this.language === "zh" ? "zh-CN" : "en", {
      month: "short",
      day: "numeric",
      timeZone: "UTC",
    });
    return format.format(new Date(`${day}T00:00:00Z`));
  }

  private figures(index: number): TemplateResult | typeof nothing {
    const stack = this.stacks.days[index];
    if (!stack) return nothing;
    return html`
      <strong
        >${this.say("usage.chart.day", { day: this.dayName(stack.day), total: this.value(stack.total) })}</strong
      >
      ${stack.pieces
        .toReversed()
        .map(
          ({ series, value }) => html`
            <span class="chart-figure"
              ><span class="swatch ${this.colour(series)}"></span> ${this.name(series)}
              ${this.value(value)}</span
            >
          `,
        )}
    `;
  }

  private table({ days }: Stacks): TemplateResult {
    const { say } = this;
    const numbers = this.seriesNumbers();
    return html`
      <table class="table">
        <thead>
          <tr>
            <th scope="col">${say("usage.day")}</th>
            ${numbers.map((series) => html`<th scope="col" class="number">${this.name(series)}</th>`)}
            <th scope="col" class="number">${say("usage.total")}</th>
          </tr>
        </thead>
        <tbody>
          ${days
            .filter(({ total }) => total > 0)
            .toReversed()
            .map(
              ({ day, total, pieces }) => html`
                <tr>
                  <th scope="row">${day}</th>
                  ${numbers.map((series) => {
                    const piece = pieces.find((each) => each.series === series);
                    return html`<td class="number">${piece ? this.value(piece.value) : "–"}</td>`;
                  })}
                  <td class="number">${this.value(total)}</td>
                </tr>
              `,
            )}
        </tbody>
      </table>
    `;
  }
}

if (!customElements.get("daily-chart")) customElements.define("daily-chart", DailyChart);
