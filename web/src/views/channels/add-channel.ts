/**
 * `<add-channel .page .only>`: connects an account step by step: where to get what is needed, the keys, a test against the network, and the
 * owner's claim. What only the owner may set is asked of nobody else. With `only`, that network alone. `added` tells that the config has it,
 * `claimed` that its owner is known.
 */
import type { ChannelKeyView, ChannelKindView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { inlineCode } from "../../parts/inline-code.ts";
import { View } from "../../shell/view.ts";
import { isTextKey } from "../../texts/texts.ts";
import { keyHint, keyLabel, problemWords } from "./key-words.ts";
import { offerTo, readEntered, splitLinks, type ChannelOffer } from "./channel-facts.ts";
import "./claim-owner.ts";

interface Added {
  channel: string;
  accountId: string;
  name: string | null;
  claimLink: string | null;
}

class AddChannel extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    only: {},
    kinds: { state: true },
    chosen: { state: true },
    present: { state: true },
    isTrying: { state: true },
    problem: { state: true },
    wrongKey: { state: true },
    added: { state: true },
  };

  declare only: string | undefined;
  declare kinds: ChannelKindView[];
  declare chosen: string;
  /** Channels that have an account already. */
  declare present: ReadonlySet<string>;
  declare isTrying: boolean;
  declare problem: string;
  /** The name of the field that the problem is about; empty where it is about none. */
  declare wrongKey: string;
  declare added: Added | undefined;

  constructor() {
    super();
    this.kinds = [];
    this.chosen = "telegram";
    this.present = new Set();
    this.isTrying = false;
    this.problem = "";
    this.wrongKey = "";
  }

  protected override async load(): Promise<void> {
    const { language } = this.page;
    const [kinds, channels] = await Promise.all([
      this.ask("channels.kinds", { language }),
      this.ask("channels.list", { language }),
    ]);
    this.kinds = (kinds?.kinds ?? this.kinds).filter(({ channel }) => channel !== "local");
    this.present = new Set((channels?.channels ?? []).map(({ channel }) => channel));
    if (this.only !== undefined) this.chosen = this.only;
  }

  /** What this person can connect. */
  private get offer(): ChannelOffer | undefined {
    const chosen = this.kinds.find(({ channel }) => channel === this.chosen);
    return chosen && offerTo(this.page.me.role, chosen);
  }

  private async connectAccount(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { say, offer } = this;
    const { language } = this.page;
    if (!offer || offer.needed.length > 0 || this.isTrying) return;
    const { kind } = offer;
    const form = new FormData(event.target as HTMLFormElement);
    const entered = Object.fromEntries(
      [...form].map(([name, value]) => [name, typeof value === "string" ? value : ""]),
    );
    const read = readEntered(kind, entered);
    const { channel } = kind;
    if (read.type === "missing")
      return this.refuse(
        say("channels.add.missing", { names: read.names.map((name) => this.labelOf(name)).join(", ") }),
        read.names[0],
      );
    if (read.type === "bad-number")
      return this.refuse(say("channels.add.bad-number", { name: this.labelOf(read.name) }), read.name);
    this.isTrying = true;
    this.refuse("");
    const { keys } = read;
    const tested = kind.canTest ? await this.ask("channels.test", { channel, keys, language }) : undefined;
    if (tested && !tested.ok) this.refuse(problemWords(channel, tested, say), tested.key);
    else if (tested || !kind.canTest) {
      const accountId = entered["@account"]?.trim() ?? "";
      const done = await this.ask("channels.add", {
        channel,
        keys,
        test: false,
        language,
        ...(accountId === "" ? {} : { accountId }),
      });
      if (done) {
        this.added = {
          channel,
          accountId: done.accountId,
          name: tested?.name ?? null,
          claimLink: tested?.claimLink ?? null,
        };
        if (done.inForce === false)
          this.page.tell(say("channels.not-in-force", { problems: done.problems.join("; ") }), "bad");
        this.dispatchEvent(new CustomEvent("added", { bubbles: true }));
      }
    }
    this.isTrying = false;
  }

  /** Says what is wrong, at the field that it is about; nothing where nothing is. */
  private refuse(problem: string, key = ""): void {
    this.problem = problem;
    this.wrongKey = key;
    if (key === "") return;
    void this.updateComplete.then(() => {
      const field = this.querySelector<HTMLInputElement>(`[name="${CSS.escape(key)}"]`);
      field?.closest("details")?.setAttribute("open", "");
      field?.focus();
    });
  }

  private labelOf(name: string): string {
    return keyLabel(this.chosen, name, this.say);
  }

  protected override render(): TemplateResult {
    const { say, offer, added } = this;
    if (added) return this.claimStep(added);
    return html`
      <div class="stack">
        ${this.only === undefined ? this.choice() : nothing}
        ${offer ? (offer.needed.length > 0 ? this.forOwner(offer) : this.steps(offer)) : html`<p class="soft">${say("shell.loading")}</p>`}
      </div>
    `;
  }

  private choice(): TemplateResult {
    const { say } = this;
    return html`
      <div class="row segments" role="group" aria-label=${say("channels.add.which")}>
        ${this.kinds.map(
          ({ channel }) => html`
            <button
              type="button"
              aria-pressed=${channel === this.chosen ? "true" : "false"}
              @click=${() => {
                this.chosen = channel;
                this.refuse("");
              }}
            >
              ${this.nameOf(channel)}
            </button>
          `,
        )}
      </div>
    `;
  }

  private nameOf(channel: string): string {
    const key = `channels.add.${channel}`;
    return isTextKey(key) ? this.say(key) : channel;
  }

  private forOwner({ kind: { channel }, needed }: ChannelOffer): TemplateResult {
    const facts = { name: this.nameOf(channel), channel, keys: needed.join(", ") };
    return html`<p class="note" role="status">${inlineCode(this.say("channels.add.owner-only", facts))}</p>`;
  }

  private steps({ kind, withheld }: ChannelOffer): TemplateResult {
    const { say } = this;
    const more = kind.keys.filter(({ required }) => !required);
    return html`
      <ol class="steps">
        <li>
          <h3>${say("channels.add.get")}</h3>
          <ol class="numbered">
            ${kind.steps.map(
              (step) =>
                html`<li>
                  ${splitLinks(step.replace(/^\d+[.)]\s*/, "")).map(({ text, href }) =>
                    href === undefined
                      ? text
                      : html`<a href=${href} target="_blank" rel="noopener noreferrer">${text}</a>`,
                  )}
                </li>`,
            )}
          </ol>
          ${
            kind.channel === "telegram"
              ? html`<p>
                  <a class="button" href="https://t.me/BotFather" target="_blank" rel="noopener noreferrer"
                    >${say("channels.add.botfather")}</a
                  >
                </p>`
              : nothing
          }
        </li>
        <li>
          <h3>${say("channels.add.enter")}</h3>
          <form class="stack" novalidate @submit=${(event: SubmitEvent) => void this.connectAccount(event)}>
            <div class="form-grid">
              ${kind.keys.filter(({ required }) => required).map((key) => this.field(key))}
              ${this.present.has(kind.channel) ? this.accountField() : nothing}
            </div>
            ${
              more.length === 0
                ? nothing
                : html`<details>
                    <summary>${say("channels.add.more")}</summary>
                    <div class="form-grid padded">${more.map((key) => this.field(key))}</div>
                  </details>`
            }
            ${
              withheld.length === 0
                ? nothing
                : html`<p class="hint">${say("channels.add.owners-keys", { keys: withheld.join(", ") })}</p>`
            }
            ${this.problem === "" || this.wrongKey !== "" ? nothing : html`<p class="note bad break" role="alert">${this.problem}</p>`}
            <p class="row">
              <button class="primary" ?disabled=${this.isTrying}>${say("channels.add.go")}</button>
              ${this.isTrying ? html`<span class="row soft" role="status"><span class="spinner" aria-hidden="true"></span> ${say("channels.add.going")}</span>` : nothing}
            </p>
          </form>
        </li>
        <li class="soft"><h3>${say("channels.claim")}</h3></li>
      </ol>
    `;
  }

  private accountField(): TemplateResult {
    const { say } = this;
    return html`
      <label class="field">
        <span class="label">${say("channels.add.account")}</span>
        <input name="@account" required autocomplete="off" spellcheck="false" />
        <span class="hint">${say("channels.add.account.hint")}</span>
      </label>
    `;
  }

  private field({
    name,
    description,
    type,
    secret,
    required,
    choices,
    usual,
  }: ChannelKeyView): TemplateResult {
    const { say } = this;
    const wrong = name === this.wrongKey ? this.problem : "";
    const hints = [
      keyHint(this.chosen, name, say) ?? description,
      usual === undefined
        ? ""
        : say("channels.add.usual", {
            value: Array.isArray(usual) ? usual.join(", ") || "–" : String(usual),
          }),
      type === "list" ? say("channels.add.list") : "",
    ];
    const options = choices ?? (type === "yes-no" ? ["true", "false"] : undefined);
    const words = (value: string) =>
      type === "yes-no" ? say(value === "true" ? "channels.add.yes" : "channels.add.no") : value;
    return html`
      <label class="field">
        <span class="label">${this.labelOf(name)}</span>
        ${
          options
            ? html`<select name=${name} aria-invalid=${wrong === "" ? nothing : "true"}>
                <option value="">${say("channels.add.as-usual")}</option>
                ${options.map((value) => html`<option value=${value}>${words(value)}</option>`)}
              </select>`
            : html`<input
                name=${name}
                type=${secret ? "password" : "text"}
                inputmode=${type === "number" ? "numeric" : nothing}
                ?required=${required}
                aria-invalid=${wrong === "" ? nothing : "true"}
                autocomplete="off"
                spellcheck="false"
              />`
        }
        ${wrong === "" ? nothing : html`<span class="field-problem" role="alert">${wrong}</span>`}
        <span class="hint">${hints.filter(Boolean).join(" ")}</span>
      </label>
    `;
  }

  private claimStep({ channel, accountId, name, claimLink }: Added): TemplateResult {
    const { say } = this;
    return html`
      <div class="stack">
        <p class="note good" role="status">
          ${name === null ? say("channels.add.done", { name: channel }) : say("channels.add.works", { name })}
        </p>
        <h3>${say("channels.claim")}</h3>
        <claim-owner
          .page=${this.page}
          .channel=${channel}
          .accountId=${accountId}
          .claimLink=${claimLink}
        ></claim-owner>
        ${
          this.only === undefined
            ? html`<p>
                <button
                  type="button"
                  @click=${() => {
                    this.added = undefined;
                    void this.load();
                  }}
                >
                  ${say("channels.add.another")}
                </button>
              </p>`
            : nothing
        }
      </div>
    `;
  }
}

customElements.define("add-channel", AddChannel);
