/** `<p-last-known since="2026-…" .say .language>`: the age of the value beside it, updated by the minute. */
import { LitElement, type PropertyDeclarations } from "lit";
import type { Language, Say } from "../texts/texts.ts";
import { lastKnownWords } from "./last-known-words.ts";

const everyMs = 10_000;

class LastKnown extends LitElement {
  static override properties: PropertyDeclarations = {
    since: {},
    say: { attribute: false },
    language: { attribute: false },
  };

  declare since: string;
  declare say: Say;
  declare language: Language;
  private timer: ReturnType<typeof setInterval> | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), everyMs);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  protected override render(): string {
    return lastKnownWords(this.since, this, Date.now());
  }
}

if (!customElements.get("p-last-known")) customElements.define("p-last-known", LastKnown);
