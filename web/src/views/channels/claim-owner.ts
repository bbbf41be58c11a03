/**
 * `<claim-owner .page .channel .accountId .claimLink>`: shows how somebody proves on a channel that the assistant is theirs, waits until they
 * have, and sends a hello. `claimed` tells. Where the channel has an owner already, the hello is all there is to do.
 */
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { copyButton } from "../../parts/copy-button.ts";
import "../../parts/countdown.ts";
import { icon } from "../../parts/icon.ts";
import { inlineCode } from "../../parts/inline-code.ts";
import { qrCode } from "../../parts/qr-code.ts";
import { View } from "../../shell/view.ts";

const everyMs = 1500;

class ClaimOwner extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    channel: {},
    accountId: {},
    claimLink: { attribute: false },
    claim: { state: true },
    isClaimed: { state: true },
  };

  declare channel: string;
  declare accountId: string;
  /** With CODE in it; null where the network has no such links. */
  declare claimLink: string | null;
  declare claim: { code: string; expiresAt: string } | undefined;
  declare isClaimed: boolean;
  private known: ReadonlySet<string> | undefined;
  private isAsking = false;

  constructor() {
    super();
    this.channel = "";
    this.accountId = "default";
    this.claimLink = null;
    this.isClaimed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const timer = setInterval(() => void this.look(), everyMs);
    this.until(() => clearInterval(timer));
  }

  protected override async load(): Promise<void> {
    const owners = await this.owners();
    if (this.known !== undefined || owners === undefined) return;
    this.known = new Set(owners);
    const [first] = owners;
    if (first !== undefined) await this.greet(first);
    else if (this.isOwner) await this.makeCode();
  }

  private async owners(): Promise<string[] | undefined> {
    const found = await this.ask("owner.list", {});
    return found?.owners.filter(({ channel }) => channel === this.channel).map(({ senderId }) => senderId);
  }

  /** Only the owner can make somebody an owner. */
  private get isOwner(): boolean {
    return this.page.me.role === "owner";
  }

  private async makeCode(): Promise<void> {
    this.claim = await this.ask("owner.claim", {});
  }

  private async look(): Promise<void> {
    if (!this.claim || this.isClaimed || this.isAsking || document.hidden) return;
    this.isAsking = true;
    const fresh = (await this.owners())?.find((owner) => !this.known?.has(owner));
    this.isAsking = false;
    if (fresh !== undefined) await this.greet(fresh);
  }

  private async greet(owner: string): Promise<void> {
    this.isClaimed = true;
    await this.ask("send.message", {
      to: `${this.channel}/${this.accountId}:${owner}`,
      text: this.say("channels.claim.hello"),
    });
    this.dispatchEvent(new CustomEvent("claimed", { bubbles: true }));
  }

  protected override render(): TemplateResult {
    const { say, claim } = this;
    if (this.isClaimed) return html`<p class="note good" role="status">${say("channels.claim.done")}</p>`;
    if (!claim)
      return html`<p class="soft">
        ${this.isOwner ? say("shell.loading") : inlineCode(say("channels.claim.owner"))}
      </p>`;
    const link = this.claimLink?.replace("CODE", encodeURIComponent(claim.code));
    const code = html`<p class="row">
      <code class="big-code">${claim.code}</code> ${copyButton(claim.code, say)}
    </p>`;
    return html`
      <div class="stack">
        ${
          link === undefined
            ? html`<p>${say("channels.claim.code")}</p>
                ${code}`
            : html`
                <p>${say("channels.claim.link")}</p>
                <div class="claim">
                  ${qrCode(link, say("channels.claim.qr"))}
                  <div class="stack tight">
                    <p class="row">
                      <a class="button primary" href=${link} target="_blank" rel="noopener noreferrer">
                        ${icon("external")} ${say("channels.claim.open")}
                      </a>
                      ${copyButton(link, say)}
                    </p>
                    <p class="mono break soft">${link}</p>
                    <p>${say("channels.claim.or-code")}</p>
                    ${code}
                  </div>
                </div>
              `
        }
        <p class="row soft" role="status">
          <span class="spinner" aria-hidden="true"></span> ${say("channels.claim.waiting")}
          ${say("channels.claim.left")}
          <p-countdown until=${claim.expiresAt}></p-countdown>
          <button type="button" class="small-button" @click=${() => void this.makeCode()}>
            ${say("channels.claim.again")}
          </button>
        </p>
      </div>
    `;
  }
}

customElements.define("claim-owner", ClaimOwner);
