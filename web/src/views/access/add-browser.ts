/** A one-time link for another browser: where that browser is, its role, and the link itself with its QR code. */
import type { AccessRole, ReachAddress, ReachView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { exactTime } from "../../parts/amounts.ts";
import { commandLine } from "../../parts/command-line.ts";
import { View } from "../../shell/view.ts";
import { writeCodeLink } from "../sign-in/code-link.ts";
import { givable } from "./access-rows.ts";
import { drawQr } from "../../parts/qr-code.ts";
import { isReachable, usableAddresses } from "./reach-advice.ts";
import { reachGuide } from "./reach-guide.ts";

interface Link {
  text: string;
  role: string;
  expiresAt: string;
  isForPhone: boolean;
}

const lookEveryMs = 4000;

class AddBrowser extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    reach: { state: true },
    chosen: { state: true },
    link: { state: true },
    cameIn: { state: true },
    isLooking: { state: true },
    proxyName: { state: true },
  };

  declare reach: ReachView | undefined;
  /** The address that the link leads to. */
  declare chosen: string | undefined;
  declare link: Link | undefined;
  declare cameIn: boolean;
  declare isLooking: boolean;
  declare proxyName: string;
  private known = new Set<string>();

  constructor() {
    super();
    this.cameIn = false;
    this.isLooking = false;
    this.proxyName = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const looking = setInterval(() => void this.look(), lookEveryMs);
    this.until(() => clearInterval(looking));
  }

  protected override async load(): Promise<void> {
    this.isLooking = true;
    this.reach = (await this.ask("reach.status", { probe: true })) ?? this.reach;
    this.isLooking = false;
  }

  /** Whether the link was used, and, until it is made, how the gateway is reached. */
  private async look(): Promise<void> {
    if (document.hidden || this.page.link.state().type !== "connected") return;
    if (!this.link) return this.isLooking ? undefined : this.load();
    if (this.cameIn) return;
    const browsers = await this.browsers();
    if (!this.link || !browsers?.some((id) => !this.known.has(id))) return;
    this.cameIn = true;
    this.dispatchEvent(new CustomEvent("changed", { bubbles: true }));
  }

  /** Undefined without an answer. */
  private async browsers(): Promise<string[] | undefined> {
    const listed = await this.ask("access.list", {});
    const mine = listed?.access.filter(
      ({ way, createdBy }) => way === "code" && createdBy === this.page.me.id,
    );
    return mine?.map(({ id }) => id);
  }

  private readonly submitted = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    await this.makeLink(String(form.get("role")) as AccessRole);
  };

  private async makeLink(role: AccessRole): Promise<void> {
    const address = this.addressChosen();
    if (!address) return;
    const known = await this.browsers();
    // Without it, those who are in would count as having come by the link.
    if (!known) return;
    this.known = new Set(known);
    const made = await this.ask("access.createCode", { role });
    if (!made) return;
    this.cameIn = false;
    this.link = {
      text: writeCodeLink(address.address, made),
      role: made.role,
      expiresAt: made.expiresAt,
      isForPhone: address.kind !== "local",
    };
  }

  private addressChosen(): ReachAddress | undefined {
    const usable = this.reach ? usableAddresses(this.reach) : [];
    return usable.find(({ address }) => address === this.chosen) ?? usable[0];
  }

  private async switchOnTailscale(): Promise<void> {
    const done = await this.ask("config.set", { path: "gateway.tailscale", value: "serve" });
    if (done) this.page.tell(this.say("access.tailscale.switched"), "good");
  }

  protected override render(): TemplateResult {
    const { say, reach, link } = this;
    if (link) return this.made(link);
    if (!reach) {
      return html`
        <p class="row soft" role="status"><span class="spinner"></span> ${say("access.reach.checking")}</p>
      `;
    }
    return html`
      <div class="stack">
        ${this.form(reach)}
        ${
          isReachable(reach)
            ? nothing
            : reachGuide({
                say,
                reach,
                proxyName: this.proxyName,
                named: (name) => (this.proxyName = name),
                switchOn: () => void this.switchOnTailscale(),
                mayConfigure: this.page.me.role === "owner" || this.page.me.role === "admin",
              })
        }
      </div>
    `;
  }

  private form(reach: ReachView): TemplateResult {
    const { say, page } = this;
    const chosen = this.addressChosen();
    return html`
      <form class="stack" @submit=${this.submitted}>
        <fieldset class="link-addresses">
          <legend>${say("access.link.where")}</legend>
          ${usableAddresses(reach).map((each) => this.addressOption(each, reach, each.address === chosen?.address))}
        </fieldset>
        ${
          chosen && !chosen.isSecure && chosen.kind === "network"
            ? html`<p class="note warn">${say("access.link.unencrypted")}</p>`
            : nothing
        }
        <div class="field">
          <label for="link-role">${say("access.link.role")}</label>
          <select id="link-role" name="role">
            ${givable(page.me.role).map(
              (role) => html`
                <option value=${role} ?selected=${role === page.me.role}>
                  ${say(`access.role.${role}`)}
                </option>
              `,
            )}
          </select>
        </div>
        <div class="row">
          <button type="submit" class="primary" ?disabled=${!chosen}>${say("access.link.make")}</button>
        </div>
      </form>
    `;
  }

  private addressOption(each: ReachAddress, reach: ReachView, isChosen: boolean): TemplateResult {
    const { say } = this;
    return html`
      <label>
        <input
          type="radio"
          name="address"
          value=${each.address}
          .checked=${isChosen}
          @change=${() => (this.chosen = each.address)}
        />
        <span class="grow">
          <span class="break">${say(`access.link.${each.kind}`, { machine: reach.machine })}</span>
          <span class="soft small break block">${each.address}</span>
        </span>
        ${each.leads === "here" ? this.badge("good", say("access.leads.here")) : nothing}
      </label>
    `;
  }

  private made({ text, role, expiresAt, isForPhone }: Link): TemplateResult {
    const { say, page } = this;
    const { size, path } = drawQr(text);
    const isOver = Date.parse(expiresAt) <= Date.now();
    const at = exactTime(expiresAt, page.language);
    const again = () => void this.makeLink(role as AccessRole);
    return html`
      <div class="stack">
        ${
          isForPhone && !this.cameIn
            ? html`
                <div class="link-qr">
                  <svg
                    viewBox="0 0 ${size} ${size}"
                    role="img"
                    aria-label=${say("access.link.qr")}
                    shape-rendering="crispEdges"
                  >
                    <path d=${path} />
                  </svg>
                  <p class="soft">${say("access.link.scan")}</p>
                </div>
              `
            : nothing
        }
        ${this.cameIn ? nothing : commandLine(text, say)}
        <p class=${this.cameIn ? "note good" : isOver ? "note warn" : "soft"} role="status">
          ${
            this.cameIn
              ? say("access.link.used")
              : isOver
                ? say("access.link.over")
                : say("access.link.once", { at, role })
          }
        </p>
        <div class="row">
          <button type="button" class="primary" @click=${() => this.dispatchEvent(new CustomEvent("done"))}>
            ${say("access.done")}
          </button>
          <button type="button" @click=${again}>${say("access.link.again")}</button>
        </div>
      </div>
    `;
  }
}

customElements.define("add-browser", AddBrowser);
