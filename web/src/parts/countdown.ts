/** `<p-countdown until="2026-…">`: the time left, second by second; fires `over` once at the end. */
import { LitElement, type PropertyDeclarations, type PropertyValues } from "lit";
import { timeLeft } from "./time-left.ts";

class PageCountdown extends LitElement {
  static override properties: PropertyDeclarations = { until: {} };

  declare until: string;
  private timer: ReturnType<typeof setInterval> | undefined;
  private isOver = false;

  constructor() {
    super();
    this.until = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("until")) this.isOver = false;
  }

  protected override render(): string {
    return timeLeft(this.until, Date.now());
  }

  protected override updated(): void {
    if (this.isOver || !(Date.parse(this.until) <= Date.now())) return;
    this.isOver = true;
    this.dispatchEvent(new CustomEvent("over"));
  }
}

if (!customElements.get("p-countdown")) customElements.define("p-countdown", PageCountdown);
