/**
 * Who has access: browsers, passkeys, devices and tokens; who waits for approval; and how to grant and revoke access.
 */
import type { AccessRole, AccessView as Access, WaitingDeviceView } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../../parts/dialog.ts";
import { icon } from "../../parts/icon.ts";
import { time } from "../../parts/time.ts";
import { View } from "../../shell/view.ts";
import "../../style/doors.css";
import { askWays } from "../sign-in/ask-gateway.ts";
import { accessRows, confinedTo, givable, kinds, wayKey, type AccessRow } from "./access-rows.ts";
import "./add-browser.ts";
import "./add-passkey.ts";
import "./make-token.ts";

type Opened = "browser" | "token" | "passkey";

const lookEveryMs = 5000;

class AccessView extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    access: { state: true },
    waiting: { state: true },
    opened: { state: true },
    canHavePasskeys: { state: true },
  };

  declare access: Access[] | undefined;
  declare waiting: WaitingDeviceView[];
  declare opened: Opened | undefined;
  /** At this address, with this browser. */
  declare canHavePasskeys: boolean;

  constructor() {
    super();
    this.waiting = [];
    this.canHavePasskeys = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // There is no event for new sign-ins and requests, so the view polls.
    const looking = setInterval(() => {
      if (!document.hidden && this.page.link.state().type === "connected") void this.load();
    }, lookEveryMs);
    this.until(() => clearInterval(looking));
    this.watch(["notices"], () => void this.load());
    void askWays().then(({ passkeys }) => {
      this.canHavePasskeys = passkeys.here && "PublicKeyCredential" in globalThis;
    });
  }

  protected override async load(): Promise<void> {
    const listed = await this.ask("access.list", {});
    this.access = listed?.access ?? this.access ?? [];
    this.waiting = listed?.waiting ?? this.waiting;
  }

  private get mayWrite(): boolean {
    return this.page.me.role === "owner" || this.page.me.role === "admin";
  }

  private async revoke({ view, name, isOwn }: AccessRow): Promise<void> {
    const { say, page } = this;
    const isSure = await page.confirm(say("access.revoke.ask", { name }), {
      detail: [isOwn ? say("access.revoke.self") : "", say("access.revoke.detail")].join(" ").trim(),
      yes: say("access.revoke"),
      danger: true,
    });
    if (!isSure) return;
    const done = await this.ask("access.revoke", { id: view.id });
    if (done) page.tell(say("access.revoked", { count: done.revoked.length }), "good");
    await this.load();
  }

  private async revokeOthers(): Promise<void> {
    const { say, page } = this;
    const isSure = await page.confirm(say("access.others.ask"), {
      detail: say("access.others.detail"),
      yes: say("access.others"),
      danger: true,
    });
    if (!isSure) return;
    const done = await this.ask("access.revokeOthers", {});
    if (done) page.tell(say("access.revoked", { count: done.revoked.length }), "good");
    await this.load();
  }

  private async approve({ id, name }: WaitingDeviceView, event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const role = String(new FormData(event.target as HTMLFormElement).get("role")) as AccessRole;
    const done = await this.ask("access.approve", { id, role });
    if (done) this.page.tell(this.say("access.approved", { name, role }), "good");
    await this.load();
  }

  private async deny({ id, name }: WaitingDeviceView): Promise<void> {
    const done = await this.ask("access.deny", { id });
    if (done) this.page.tell(this.say("access.denied", { name }), "good");
    await this.load();
  }

  protected override render(): TemplateResult {
    const { say, access, mayWrite } = this;
    return html`
      <div class="page-head">
        <div class="grow stack tight">
          <h1>${say("nav.access")}</h1>
          <p class="soft">${say("access.lead")}</p>
        </div>
        ${
          mayWrite
            ? html`
                <button type="button" class="primary" @click=${() => (this.opened = "browser")}>
                  ${icon("plus")} ${say("access.add-browser")}
                </button>
              `
            : nothing
        }
      </div>
      ${this.waitingDevices()}
      <div aria-busy=${access === undefined ? "true" : "false"}>
        ${access === undefined ? nothing : kinds.map((kind) => this.group(kind, access))}
      </div>
      ${this.dialog()}
    `;
  }

  private waitingDevices(): TemplateResult | typeof nothing {
    const { say, waiting } = this;
    if (waiting.length === 0) return nothing;
    return html`
      <section class="stack" aria-labelledby="waiting-title" aria-live="polite">
        <h2 id="waiting-title">${say("access.waiting")}</h2>
        ${repeat(
          waiting,
          ({ id }) => id,
          (device) => this.waitingDevice(device),
        )}
      </section>
    `;
  }

  private waitingDevice(device: WaitingDeviceView): TemplateResult {
    const { say, page } = this;
    const field = `role-${device.id}`;
    return html`
      <form
        class="card warn waiting-device"
        @submit=${(event: SubmitEvent) => void this.approve(device, event)}
      >
        <p class="knock-code">${device.code}</p>
        <div class="grow">
          <p class="name break"><strong>${device.name}</strong></p>
          <p class="soft small">${device.address} · ${time(device.createdAt, page.language)}</p>
          <p class="small">${say("access.waiting.compare")}</p>
        </div>
        ${
          this.mayWrite
            ? html`
                <div class="row">
                  <label for=${field}>${say("access.waiting.role")}</label>
                  <select id=${field} name="role">
                    ${givable(page.me.role).map(
                      (role) => html`
                        <option value=${role} ?selected=${role === device.wants}>
                          ${say(`access.role.${role}`)}
                        </option>
                      `,
                    )}
                  </select>
                  <button type="submit" class="primary">${say("access.waiting.approve")}</button>
                  <button type="button" class="danger" @click=${() => void this.deny(device)}>
                    ${say("access.waiting.deny")}
                  </button>
                </div>
              `
            : nothing
        }
      </form>
    `;
  }

  private group(kind: Access["kind"], access: readonly Access[]): TemplateResult {
    const { say } = this;
    const rows = accessRows(access, kind, this.page.me.id);
    return html`
      <section class="access-group" aria-labelledby="group-${kind}">
        <div class="row">
          <h2 id="group-${kind}">${say(`access.kind.${kind}`)}</h2>
          ${this.mayWrite ? this.groupAction(kind, rows) : nothing}
        </div>
        ${
          rows.length === 0
            ? html`<div class="card soft"><p>${say(this.emptyKey(kind))}</p></div>`
            : this.table(kind, rows)
        }
      </section>
    `;
  }

  private emptyKey(kind: Access["kind"]) {
    return kind === "passkey" && !this.canHavePasskeys
      ? "access.none.passkey-here"
      : (`access.none.${kind}` as const);
  }

  private groupAction(kind: Access["kind"], rows: readonly AccessRow[]): TemplateResult | typeof nothing {
    const { say } = this;
    const open = (what: Opened, key: "access.make-token" | "access.add-passkey") => html`
      <button type="button" @click=${() => (this.opened = what)}>${icon("plus")} ${say(key)}</button>
    `;
    if (kind === "token") return open("token", "access.make-token");
    if (kind === "passkey") return this.canHavePasskeys ? open("passkey", "access.add-passkey") : nothing;
    if (kind !== "browser" || rows.every(({ isOwn }) => isOwn)) return nothing;
    return html`
      <button type="button" class="danger" @click=${() => void this.revokeOthers()}>
        ${say("access.others")}
      </button>
    `;
  }

  private table(kind: Access["kind"], rows: readonly AccessRow[]): TemplateResult {
    const { say } = this;
    return html`
      <div class="card">
        <table class="table access-table" aria-labelledby="group-${kind}">
          <thead>
            <tr>
              <th scope="col">${say("access.name")}</th>
              <th scope="col">${say("access.role")}</th>
              ${kind === "browser" ? html`<th scope="col">${say("access.came-by")}</th>` : nothing}
              <th scope="col">${say("access.used")}</th>
              <th scope="col">${say("access.until")}</th>
              <th scope="col"><span class="visually-hidden">${say("access.actions")}</span></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              rows,
              ({ view }) => view.id,
              (row) => this.row(row),
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  private row(row: AccessRow): TemplateResult {
    const { say, page } = this;
    const { view, name, isOwn } = row;
    const agents = confinedTo(view);
    const label = say("access.revoke.name", { name });
    return html`
      <tr>
        <td>
          <span class="row">
            <span class="name break" title=${view.name}>${name}</span>
            ${isOwn ? html`<span class="badge good">${say("access.this-browser")}</span>` : nothing}
          </span>
        </td>
        <td data-label=${say("access.role")}>
          ${view.role}
          ${agents ? html`<span class="soft small">${say("access.agents", { agents })}</span>` : nothing}
        </td>
        ${
          view.kind === "browser"
            ? html`<td data-label=${say("access.came-by")}>${say(wayKey(view.way))}</td>`
            : nothing
        }
        <td data-label=${say("access.used")}>
          ${view.lastUsedAt ? time(view.lastUsedAt, page.language) : say("access.never")}
        </td>
        <td data-label=${say("access.until")}>
          ${view.expiresAt ? time(view.expiresAt, page.language) : say("access.until.revoked")}
        </td>
        <td class="does">
          ${
            this.mayWrite
              ? html`
                  <button
                    type="button"
                    class="quiet icon-only"
                    aria-label=${label}
                    title=${label}
                    @click=${() => void this.revoke(row)}
                  >
                    ${icon("trash")}
                  </button>
                `
              : nothing
          }
        </td>
      </tr>
    `;
  }

  private dialog(): TemplateResult {
    const { say, opened, page } = this;
    const close = () => (this.opened = undefined);
    const changed = () => void this.load();
    const heading = {
      browser: "access.link.title",
      token: "access.token.title",
      passkey: "access.passkey.title",
    } as const;
    const contents = {
      browser: html`<add-browser .page=${page} @done=${close} @changed=${changed}></add-browser>`,
      token: html`<make-token .page=${page} @done=${close} @changed=${changed}></make-token>`,
      passkey: html`<add-passkey .page=${page} @done=${close} @changed=${changed}></add-passkey>`,
    };
    return html`
      <p-dialog
        .heading=${opened ? say(heading[opened]) : ""}
        .closeLabel=${say("shell.close")}
        ?open=${opened !== undefined}
        .content=${opened ? contents[opened] : undefined}
        @closed=${close}
      ></p-dialog>
    `;
  }
}

customElements.define("view-access", AccessView);
