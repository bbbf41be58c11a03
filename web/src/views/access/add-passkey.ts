/** Creates a passkey for this gateway: the browser verifies its user, and the gateway stores the public key. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { browserName } from "../../parts/browser-name.ts";
import { View } from "../../shell/view.ts";

class AddPasskey extends View {
  static override properties: PropertyDeclarations = {
    ...View.properties,
    busy: { state: true },
    failed: { state: true },
  };

  declare busy: boolean;
  declare failed: string | undefined;

  constructor() {
    super();
    this.busy = false;
  }

  private readonly submitted = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name"));
    this.busy = true;
    this.failed = undefined;
    this.failed = await this.make(name);
    this.busy = false;
    if (this.failed !== undefined) return;
    this.page.tell(this.say("access.passkey.made", { name }), "good");
    this.dispatchEvent(new CustomEvent("changed", { bubbles: true }));
    this.dispatchEvent(new CustomEvent("done"));
  };

  /** Why there is none; undefined where there is one now. */
  private async make(name: string): Promise<string | undefined> {
    const offered = await post<{ options: never }>("/api/passkeys/options", {});
    if (!offered.ok) return this.say("access.passkey.failed", { message: offered.message });
    const { startRegistration } = await import("@simplewebauthn/browser");
    let response: object;
    try {
      response = await startRegistration({ optionsJSON: offered.value.options });
    } catch (error) {
      const isThere = error instanceof Error && error.name === "InvalidStateError";
      return this.say(isThere ? "access.passkey.there" : "access.passkey.stopped");
    }
    const added = await post("/api/passkeys", { name, response });
    return added.ok ? undefined : this.say("access.passkey.failed", { message: added.message });
  }

  protected override render(): TemplateResult {
    const { say, page } = this;
    return html`
      <form class="stack" @submit=${this.submitted}>
        <p class="soft">${say("access.passkey.lead", { role: page.me.role, place: location.hostname })}</p>
        <div class="field">
          <label for="passkey-name">${say("access.passkey.name")}</label>
          <input
            id="passkey-name"
            name="name"
            required
            maxlength="100"
            autocomplete="off"
            .value=${browserName(navigator.userAgent)}
          />
        </div>
        <div role="status">
          ${this.failed === undefined ? nothing : html`<p class="note bad">${this.failed}</p>`}
        </div>
        <div class="row">
          <button type="submit" class="primary" ?disabled=${this.busy}>${say("access.passkey.make")}</button>
          ${this.busy ? html`<span class="spinner"></span>` : nothing}
        </div>
      </form>
    `;
  }
}

type Answer<Value> = { ok: true; value: Value } | { ok: false; message: string };

async function post<Value>(path: string, body: object): Promise<Answer<Value>> {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return { ok: true, value: (await answer.json()) as Value };
    const { error } = (await answer.json()) as { error?: { message?: string; hint?: string } };
    return { ok: false, message: [error?.message, error?.hint].filter(Boolean).join(" ") };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

customElements.define("add-passkey", AddPasskey);
