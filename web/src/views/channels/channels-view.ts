/** The channels, whether messages really arrive and leave there, and who may write. */
import type { ChannelView, EventTopic, PeerView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import "../../parts/dialog.ts";
import { empty } from "../../parts/empty.ts";
import "../../parts/menu.ts";
import type { MenuItem } from "../../parts/menu.ts";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { View } from "../../shell/view.ts";
import "../../style/control.css";
import { isTextKey } from "../../texts/texts.ts";
import "./add-channel.ts";
import { accountName, enabledPath, toneOf } from "./channel-facts.ts";
import "./people-part.ts";
import "./trouble-part.ts";

const everyMs = 5000;

interface Peers {
  name: string;
  people: PeerView[];
  groups: PeerView[];
  isKnownOnly: boolean;
}

class ChannelsView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    channels: { state: true },
    probing: { state: true },
    peers: { state: true },
  };

  declare channels: ChannelView[] | undefined;
  /** The name of the account whose network is asked, or `*`. */
  declare probing: string | undefined;
  declare peers: Peers | undefined;

  protected override watched(): readonly EventTopic[] {
    return ["channels", "config", "health"];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Proof that words come in is no event: it is looked for.
    const timer = setInterval(() => {
      if (!document.hidden && this.page.link.state().type === "connected") void this.load();
    }, everyMs);
    this.until(() => clearInterval(timer));
  }

  protected override async load(): Promise<void> {
    const found = await this.ask("channels.list", { language: this.page.language });
    this.channels = found?.channels ?? this.channels;
  }

  private get mayChange(): boolean {
    return this.page.me.role === "owner" || this.page.me.role === "admin";
  }

  private async probe(account?: ChannelView): Promise<void> {
    this.probing = account ? accountName(account) : "*";
    const { language } = this.page;
    const place = account ? { channel: account.channel, accountId: account.accountId } : {};
    await this.ask("channels.status", { ...place, probe: true, language });
    this.probing = undefined;
    await this.load();
  }

  private async toggle(account: ChannelView): Promise<void> {
    const config = await this.ask("config.get", { path: "channels" });
    if (!config) return;
    const path = enabledPath(config.value, account);
    const value = account.enabled === false;
    const done = await this.ask("config.set", { path, value, language: this.page.language });
    if (done) this.tellChange(done, this.say("channels.written"));
    await this.load();
  }

  private async takeOut(account: ChannelView): Promise<void> {
    const { say } = this;
    const name = accountName(account);
    const isSure = await this.page.confirm(say("channels.remove.sure", { name }), {
      detail: say("channels.remove.detail"),
      yes: say("channels.remove"),
      danger: true,
    });
    if (!isSure) return;
    const { channel, accountId } = account;
    const done = await this.ask("channels.remove", { channel, accountId, language: this.page.language });
    if (done) this.tellChange(done, say("channels.removed", { name }));
    await this.load();
  }

  private tellChange(
    { inForce, problems }: { inForce: boolean | null; problems: string[] },
    words: string,
  ): void {
    if (inForce === false)
      this.page.tell(this.say("channels.not-in-force", { problems: problems.join("; ") }), "bad");
    else this.page.tell(words, "good");
  }

  private async showPeers(account: ChannelView): Promise<void> {
    const { channel, accountId } = account;
    const [people, groups] = await Promise.all([
      this.ask("channels.peers", { channel, accountId, kind: "people" }),
      this.ask("channels.peers", { channel, accountId, kind: "groups" }),
    ]);
    this.peers = {
      name: accountName(account),
      people: people?.peers ?? [],
      groups: groups?.peers ?? [],
      isKnownOnly: people?.source === "known",
    };
  }

  protected override render(): TemplateResult {
    const { say, channels } = this;
    return html`
      <div class="page-head">
        <h1>${say("channels.title")}</h1>
        <span class="grow"></span>
        ${
          channels?.length
            ? html`<button
                type="button"
                ?disabled=${this.probing !== undefined}
                @click=${() => void this.probe()}
              >
                ${this.probing === "*" ? html`<span class="spinner"></span>` : nothing}
                ${say("channels.probe.all")}
              </button>`
            : nothing
        }
      </div>
      <div class="stack wide-gap">
        <div aria-live="polite">
          ${channels === undefined ? html`<p class="empty">${say("shell.loading")}</p>` : nothing}
          ${channels?.length === 0 ? empty(say("channels.none")) : nothing}
          <div class="grid wide-cards">${(channels ?? []).map((account) => this.account(account))}</div>
        </div>
        ${this.page.me.role === "developer" || this.page.me.role === "viewer" ? nothing : html`<channel-people .page=${this.page} .mayChange=${this.mayChange}></channel-people>`}
        ${
          this.mayChange
            ? html`
                <section class="card" aria-labelledby="add-head">
                  <h2 id="add-head">${say("channels.add")}</h2>
                  <add-channel .page=${this.page} @added=${() => void this.load()}></add-channel>
                </section>
              `
            : html`<p class="hint">${say("channels.may-not")}</p>`
        }
        ${this.page.me.role === "auditor" ? nothing : html`<channel-trouble .page=${this.page} .mayChange=${this.mayChange}></channel-trouble>`}
      </div>
      <p-dialog
        .heading=${this.peers ? `${say("channels.peers")}: ${this.peers.name}` : ""}
        .closeLabel=${say("shell.close")}
        ?open=${this.peers !== undefined}
        .content=${this.peers ? this.peerList(this.peers) : undefined}
        @closed=${() => (this.peers = undefined)}
      ></p-dialog>
    `;
  }

  private account(account: ChannelView): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    const name = accountName(account);
    const { tone: knownTone, word } = toneOf(account);
    const tone = this.tone(knownTone);
    const stateKey = `channels.state.${account.state}`;
    const fact = (label: string, value: unknown) =>
      html`<dt>${label}</dt>
        <dd>${value}</dd>`;
    const when = (iso: string | null | undefined) => (iso ? time(iso, language) : say("channels.never"));
    return html`
      <article class="card ${tone === "good" ? "" : tone}" aria-label=${name} data-account=${name}>
        <div class="row">
          <span class="dot ${tone}" aria-hidden="true"></span>
          <h2 class="fill break">${name}</h2>
          ${this.badge(knownTone, say(`channels.health.${word}`))}
          ${this.mayChange ? html`<p-menu .label=${say("channels.menu", { name })} .items=${this.menuOf(account)}></p-menu>` : nothing}
        </div>
        ${account.reason ? html`<p class="break">${visibleText(account.reason)}</p>` : nothing}
        <dl class="facts">
          ${fact(isTextKey(stateKey) ? say(stateKey) : account.state, html`${say("channels.since")} ${time(account.since, language)}`)}
          ${fact(say("channels.proof"), when(account.lastProofAt))}
          ${fact(say("channels.inbound"), when(account.lastInboundAt))}
          ${fact(say("channels.delivery"), when(account.lastDeliveryAt))}
          ${fact(say("channels.backlog"), account.backlog ?? 0)}
        </dl>
        <div class="row">
          <button
            type="button"
            ?disabled=${this.probing !== undefined || account.enabled === false}
            @click=${() => void this.probe(account)}
          >
            ${this.probing === name ? html`<span class="spinner"></span>` : nothing} ${say("channels.probe")}
          </button>
          ${
            this.mayChange
              ? html`<button type="button" @click=${() => void this.toggle(account)}>
                  ${say(account.enabled === false ? "channels.enable" : "channels.disable")}
                </button>`
              : nothing
          }
        </div>
      </article>
    `;
  }

  private menuOf(account: ChannelView): MenuItem[] {
    const { say } = this;
    return [
      { label: say("channels.peers"), icon: "user", choose: () => void this.showPeers(account) },
      {
        label: say("channels.remove"),
        icon: "trash",
        danger: true,
        choose: () => void this.takeOut(account),
      },
    ];
  }

  private peerList({ people, groups, isKnownOnly }: Peers): TemplateResult {
    const { say } = this;
    const list = (title: string, peers: PeerView[]) => html`
      <section class="stack tight">
        <h3>${title}</h3>
        ${peers.length === 0 ? html`<p class="soft">${say("channels.peers.none")}</p>` : nothing}
        <ul class="plain-list">
          ${peers.map(({ id, name }) => html`<li class="row break">${visibleText(name)} ${name === id ? nothing : html`<code class="soft">${visibleText(id)}</code>`}</li>`)}
        </ul>
      </section>
    `;
    return html`
      ${isKnownOnly ? html`<p class="hint">${say("channels.peers.known")}</p>` : nothing}
      ${list(say("channels.peers.people"), people)} ${list(say("channels.peers.groups"), groups)}
    `;
  }
}

customElements.define("view-channels", ChannelsView);
