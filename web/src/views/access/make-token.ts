/** Creates a token for a program: its name, its role, its lifetime; shows the token once. */
import type { AccessRole } from "@pincer/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { commandLine } from "../../parts/command-line.ts";
import { View } from "../../shell/view.ts";
import { givable } from "./access-rows.ts";

class MakeToken extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    token: { state: true },
    busy: { state: true },
  };

  declare token: string | undefined;
  declare busy: boolean;

  constructor() {
    super();
    this.busy = false;
  }

  private readonly submitted = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const days = Number(form.get("days"));
    this.busy = true;
    const made = await this.ask("access.createToken", {
      name: String(form.get("name")),
      role: String(form.get("role")) as AccessRole,
      ...(days > 0 ? { days } : {}),
    });
    this.busy = false;
    if (!made) return;
    this.token = made.token;
    this.dispatchEvent(new CustomEvent("changed", { bubbles: true }));
  };

  protected override render(): TemplateResult {
    return this.token === undefined ? this.form() : this.made(this.token);
  }

  private made(token: string): TemplateResult {
    const { say } = this;
    const example = `curl -H "Authorization: Bearer ${token}" ${location.origin}/v1/models`;
    return html`
      <div class="stack" role="status">
        <p class="note warn">${say("access.token.once")}</p>
        ${commandLine(token, say)}
        <p class="soft">${say("access.token.use")}</p>
        ${commandLine(example, say)}
        <div class="row">
          <button type="button" class="primary" @click=${() => this.dispatchEvent(new CustomEvent("done"))}>
            ${say("access.done")}
          </button>
        </div>
      </div>
    `;
  }

  private form(): TemplateResult {
    const { say, page } = this;
    const usual = "developer";
    return html`
      <form class="stack" @submit=${this.submitted}>
        <div class="field">
          <label for="token-name">${say("access.token.name")}</label>
          <input id="token-name" name="name" required maxlength="100" autocomplete="off" />
        </div>
        <div class="field">
          <label for="token-role">${say("access.role")}</label>
          <select id="token-role" name="role">
            ${givable(page.me.role).map(
              (role) => html`
                <option value=${role} ?selected=${role === usual}>${say(`access.role.${role}`)}</option>
              `,
            )}
          </select>
        </div>
        <div class="field">
          <label for="token-days">${say("access.token.days")}</label>
          <input
            id="token-days"
            name="days"
            type="number"
            min="1"
            max="3650"
            aria-describedby="token-days-hint"
          />
          <p class="hint" id="token-days-hint">${say("access.token.days.hint")}</p>
        </div>
        <div class="row">
          <button type="submit" class="primary" ?disabled=${this.busy}>${say("access.token.make")}</button>
          ${this.busy ? html`<span class="spinner"></span>` : nothing}
        </div>
      </form>
    `;
  }
}

customElements.define("make-token", MakeToken);
