/** `<channel-people .page>`: pairing requests, approved people, and where the owner is known. */
import type { AllowedView, EventTopic, OwnerView, PairingView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { time } from "../../parts/time.ts";
import { visibleText } from "../../parts/visible-text.ts";
import { View } from "../../shell/view.ts";

class ChannelPeople extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    mayChange: { attribute: false },
    pending: { state: true },
    allowed: { state: true },
    owners: { state: true },
    claimed: { state: true },
  };

  declare mayChange: boolean;
  declare pending: PairingView[];
  declare allowed: AllowedView[];
  declare owners: OwnerView[];
  declare claimed: { code: string; expiresAt: string } | undefined;

  constructor() {
    super();
    this.mayChange = false;
    this.pending = [];
    this.allowed = [];
    this.owners = [];
  }

  protected override watched(): readonly EventTopic[] {
    return ["notices", "channels"];
  }

  protected override async load(): Promise<void> {
    const [people, owners] = await Promise.all([this.ask("pairing.list", {}), this.ask("owner.list", {})]);
    this.pending = people?.pending ?? this.pending;
    this.allowed = people?.allowed ?? this.allowed;
    this.owners = owners?.owners ?? this.owners;
  }

  private async approve({ code, channel, accountId, ...request }: PairingView): Promise<void> {
    if (await this.ask("pairing.approve", { code, channel, accountId }))
      this.page.tell(this.say("channels.pairing.approved", { who: whoOf(request) }), "good");
    await this.load();
  }

  private async turnAway({ senderId, channel, accountId, meta }: PairingView): Promise<void> {
    if (await this.ask("pairing.revoke", { senderId, channel, accountId }))
      this.page.tell(this.say("channels.pairing.denied", { who: whoOf({ senderId, meta }) }), "good");
    await this.load();
  }

  private async revoke({ senderId, channel, accountId }: AllowedView): Promise<void> {
    const isSure = await this.page.confirm(this.say("channels.allowed.sure", { who: senderId }), {
      danger: true,
    });
    if (!isSure) return;
    await this.ask("pairing.revoke", { senderId, channel, ...(accountId === null ? {} : { accountId }) });
    await this.load();
  }

  private async removeOwner({ channel, senderId }: OwnerView): Promise<void> {
    const isSure = await this.page.confirm(`${this.say("channels.owners.remove")}: ${channel}:${senderId}`, {
      danger: true,
    });
    if (!isSure) return;
    await this.ask("owner.remove", { channel, senderId });
    await this.load();
  }

  protected override render(): TemplateResult {
    const { say } = this;
    return html`
      <div class="stack wide-gap">
        <section class="stack" aria-labelledby="pairing-head">
          <h2 id="pairing-head">${say("channels.pairing")}</h2>
          ${this.pending.length === 0 ? html`<p class="soft">${say("channels.pairing.none")}</p>` : this.requests()}
        </section>
        <section class="stack" aria-labelledby="allowed-head">
          <h2 id="allowed-head">${say("channels.allowed")}</h2>
          ${this.ownersPart()}
          ${this.allowed.length === 0 ? html`<p class="soft">${say("channels.allowed.none")}</p>` : this.allowedTable()}
        </section>
      </div>
    `;
  }

  private requests(): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    return html`
      <p class="hint">${say("channels.pairing.check")}</p>
      <ul class="plain-list" aria-live="polite">
        ${this.pending.map(
          (request) => html`
            <li class="card row">
              <span class="grow">
                <strong class="break">${visibleText(whoOf(request))}</strong>
                <span class="soft small block break"
                  >${request.channel}/${request.accountId}:${visibleText(request.senderId)} ·
                  ${time(request.createdAt, language)}</span
                >
              </span>
              <code class="big-code">${request.code}</code>
              ${
                this.mayChange
                  ? html`
                      <button type="button" class="primary" @click=${() => void this.approve(request)}>
                        ${say("channels.pairing.approve")}
                      </button>
                      <button type="button" class="danger" @click=${() => void this.turnAway(request)}>
                        ${say("channels.pairing.deny")}
                      </button>
                    `
                  : nothing
              }
            </li>
          `,
        )}
      </ul>
    `;
  }

  private ownersPart(): TemplateResult {
    const { say } = this;
    if (this.owners.length === 0) return html`<p class="soft">${say("channels.owners.none")}</p>`;
    return html`
      <div class="row">
        <span>${say("channels.owners")}</span>
        ${this.owners.map(
          (owner) => html`
            ${this.badge(
              "good",
              html`${owner.channel}:${visibleText(owner.senderId)}
              ${owner.claimedAt === null ? html`(${say("channels.owners.config")})` : nothing}`,
            )}
            ${
              owner.claimedAt !== null && this.page.me.role === "owner"
                ? html`<button
                    type="button"
                    class="quiet small-button"
                    @click=${() => void this.removeOwner(owner)}
                  >
                    ${say("channels.owners.remove")}
                  </button>`
                : nothing
            }
          `,
        )}
      </div>
    `;
  }

  private allowedTable(): TemplateResult {
    const { say } = this;
    const { language } = this.page;
    return html`
      <div class="scroll-x" tabindex="0" role="region" aria-label=${say("channels.allowed.who")}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${say("channels.allowed.who")}</th>
              <th scope="col">${say("channels.allowed.where")}</th>
              <th scope="col">${say("channels.allowed.since")}</th>
              <th scope="col">${say("channels.allowed.by")}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${this.allowed.map(
              (person) => html`
                <tr>
                  <td class="break">${visibleText(person.senderId)}</td>
                  <td>${person.channel} · ${person.accountId ?? say("channels.allowed.everywhere")}</td>
                  <td>${time(person.addedAt, language)}</td>
                  <td>${person.by}</td>
                  <td>
                    ${
                      this.mayChange
                        ? html`<button type="button" class="danger" @click=${() => void this.revoke(person)}>
                            ${say("channels.allowed.revoke")}
                          </button>`
                        : nothing
                    }
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }
}

const whoOf = ({ senderId, meta }: Pick<PairingView, "senderId" | "meta">): string =>
  meta["name"] ?? meta["username"] ?? senderId;

customElements.define("channel-people", ChannelPeople);
