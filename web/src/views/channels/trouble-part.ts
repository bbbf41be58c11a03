/**
 * `<channel-trouble .page>`: messages that did not get through, in either direction, and what can be done about them.
 */
import type { DeadLetterView, EventTopic, OutboxView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { View } from "../../shell/view.ts";
import { isTextKey } from "../../texts/texts.ts";

class ChannelTrouble extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    mayChange: { attribute: false },
    messages: { state: true },
    letters: { state: true },
  };

  declare mayChange: boolean;
  declare messages: OutboxView[];
  declare letters: DeadLetterView[];

  constructor() {
    super();
    this.mayChange = false;
    this.messages = [];
    this.letters = [];
  }

  protected override watched(): readonly EventTopic[] {
    return ["notices", "runs", "channels"];
  }

  protected override async load(): Promise<void> {
    const [outbox, dead] = await Promise.all([
      this.ask("outbox.list", { states: ["failed", "uncertain"], limit: 50 }),
      this.ask("deadletters.list", { limit: 50 }),
    ]);
    this.messages = outbox?.messages ?? this.messages;
    this.letters = dead?.letters ?? this.letters;
  }

  private async retry(kind: "outbox" | "deadletters", id: string): Promise<void> {
    await this.ask(kind === "outbox" ? "outbox.retry" : "deadletters.retry", { id });
    await this.load();
  }

  private async drop(kind: "outbox" | "deadletters", id: string): Promise<void> {
    if (!(await this.page.confirm(this.say("channels.trouble.drop.sure"), { danger: true }))) return;
    await this.ask(kind === "outbox" ? "outbox.drop" : "deadletters.drop", { id });
    await this.load();
  }

  protected override render(): TemplateResult {
    const { say } = this;
    const isEmpty = this.messages.length + this.letters.length === 0;
    return html`
      <section class="stack" aria-labelledby="trouble-head">
        <h2 id="trouble-head">${say("channels.trouble")}</h2>
        ${isEmpty ? html`<p class="soft">${say("channels.trouble.none")}</p>` : nothing}
        <ul class="plain-list">
          ${this.messages.map((message) => this.message(message))}
          ${this.letters.map((letter) => this.letter(letter))}
        </ul>
      </section>
    `;
  }

  private message({ id, state, destination, text, attempts, error, createdAt }: OutboxView): TemplateResult {
    const { say } = this;
    const key = `channels.outbox.${state}`;
    const to = `${destination.channel}/${destination.accountId}:${destination.target.peerId}`;
    return this.item("outbox", id, {
      badge: isTextKey(key) ? say(key) : state,
      tone: state === "failed" ? "bad" : "warn",
      where: say("channels.trouble.outbox", { to }),
      words: text,
      why: [error?.message, say("channels.trouble.attempts", { count: attempts })]
        .filter(Boolean)
        .join(" · "),
      at: createdAt,
    });
  }

  private letter({ id, kind, person, texts, queuedAt, claims }: DeadLetterView): TemplateResult {
    const { say } = this;
    return this.item("deadletters", id, {
      badge: say(`channels.dead.${kind}`),
      tone: "bad",
      where: say("channels.trouble.dead", { from: person.name ?? person.id }),
      words: texts.join("\n"),
      why: say("channels.trouble.attempts", { count: claims }),
      at: queuedAt,
    });
  }

  private item(
    kind: "outbox" | "deadletters",
    id: string,
    told: { badge: string; tone: string; where: string; words: string; why: string; at: string },
  ): TemplateResult {
    const { say } = this;
    return html`
      <li class="card">
        <p class="row">
          ${this.badge(told.tone, told.badge)}
          <span class="grow break">${visibleText(told.where)}</span>
          <span class="soft small">${time(told.at, this.page.language)}</span>
        </p>
        <p class="break clamp">${visibleText(told.words.slice(0, 500))}</p>
        <div class="row">
          <span class="hint grow break">${told.why}</span>
          ${
            this.mayChange
              ? html`
                  <button type="button" @click=${() => void this.retry(kind, id)}>
                    ${say("channels.trouble.retry")}
                  </button>
                  <button type="button" class="danger" @click=${() => void this.drop(kind, id)}>
                    ${say("channels.trouble.drop")}
                  </button>
                `
              : nothing
          }
        </div>
      </li>
    `;
  }
}

customElements.define("channel-trouble", ChannelTrouble);
