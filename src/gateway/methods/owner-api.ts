/** Who the owner is on each channel: listed in the config, or claimed there with a one-time code from here. */
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { showPairingCode } from "../../routing/pairing-code.ts";
import type { AccessStore } from "../../storage/access/access.ts";
import type { PairingStore } from "../../storage/access/people.ts";
import { actorOf, type Api } from "./api.ts";

const claimTtlMs = 600_000;

export function createOwnerApi({
  pairing,
  access,
  owners,
  clock,
  makeCode,
}: {
  pairing: Pick<PairingStore, "openClaim" | "listOwners" | "removeOwner">;
  access: Pick<AccessStore, "list" | "revoke">;
  /** Those of the config, as `channel:id`. */
  owners(): readonly string[];
  clock: Clock;
  makeCode(): string;
}): Api<"owner"> {
  const configured = () =>
    owners().map((owner) => {
      const end = owner.indexOf(":");
      return { channel: owner.slice(0, end), senderId: owner.slice(end + 1), claimedAt: null };
    });

  /** Browsers that they let in from a chat, with whatever those let in. */
  async function putOut(maker: string, actor: string): Promise<void> {
    const made = (await access.list()).filter(({ createdBy }) => createdBy === maker);
    for (const { id } of made) await access.revoke(id, actor);
  }

  return {
    async claim() {
      const code = makeCode();
      await pairing.openClaim({ code, ttlMs: claimTtlMs });
      return { code: showPairingCode(code), expiresAt: new Date(clock.now() + claimTtlMs).toISOString() };
    },
    list: async () => ({ owners: [...configured(), ...(await pairing.listOwners())] }),
    async remove({ channel, senderId }, until) {
      const owner = `${channel}:${senderId}`;
      if (await pairing.removeOwner(channel, senderId)) {
        await putOut(`chat:${owner}`, actorOf(until));
        return { removed: { channel, senderId } };
      }
      if (owners().includes(owner)) {
        throw failure("config/bad-value", "owner.configured", { owner }, { hint: "owner.configured.hint" });
      }
      throw failure("message/not-found", "owner.none", { owner }, { hint: "owner.none.hint" });
    },
  };
}
