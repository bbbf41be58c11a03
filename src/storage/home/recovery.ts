/**
 * A home that has lost its database, and what came back. While the owner has not confirmed it, no tool runs and no stranger is let in: nobody
 * knows what else limited it. It is a file, so that it holds whatever becomes of the database.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { AccessRecord } from "../access/access.ts";
import type { RuleStore, StandingRule } from "../rules/rules.ts";
import type { Salvage } from "../salvage/salvage-database.ts";
import type { TenantStores } from "../storage.ts";

export interface Recovery {
  /** When the loss was noticed. */
  at: string;
  /**
   * `database`: the whole of it. `damage`: what could not be read of one that did not open any more. `changes`: it was older than the copy of
   * the policy beside it. `log`: its last changes, and perhaps none of the policy.
   */
  lost: "database" | "damage" | "changes" | "log";
  /** How many changes of the policy the database did not have. */
  changes: number;
  /** Rows that came back from the copy, by table. */
  rows: Record<string, number>;
  /** What the older state would do again is still to be held. */
  isToHold?: boolean;
  /** Sessions are still to get back what their transcripts say. */
  isToComplete?: boolean;
  /** How a damaged database was replaced. */
  repair?: Repair | undefined;
  /** The copy of the policy was damaged or gone: somebody who was turned away may be among those who came back. */
  isInDoubt?: boolean;
}

export interface Repair {
  /** Where the damaged database is kept. */
  aside: string;
  /** Tables that had rows or damage; see `Salvage`. */
  tables: Salvage["tables"];
}

/** From the worst down: what is noticed later may be worse. */
const losses: ReadonlyArray<Recovery["lost"]> = ["database", "damage", "changes", "log"];

export interface RecoveryRecord {
  /** Whether the owner still has to confirm one. */
  isOpen(): boolean;
  /** One that cannot be read is one all the same. */
  read(): Recovery | undefined;
  /** Keeps the first where one is open, with what is new about it. */
  begin(recovery: Recovery): void;
  /** What the older state would do again is held; what transcripts say is back. */
  done(what: "isToHold" | "isToComplete"): void;
  /** The owner has looked. */
  confirm(): void;
}

export function openRecovery(file: string): RecoveryRecord {
  function read(): Recovery | undefined {
    if (!existsSync(file)) return undefined;
    try {
      return completed(JSON.parse(readFileSync(file, "utf8")) as Partial<Recovery> | null);
    } catch {
      // It cannot be read: what it was about has happened.
      return completed({ isInDoubt: true });
    }
  }
  function write(recovery: Recovery): void {
    writeFileSync(`${file}.new`, `${JSON.stringify(recovery)}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return {
    isOpen: () => existsSync(file),
    read,
    begin(recovery) {
      const before = read();
      if (!before) return write(recovery);
      const { changes, isToHold = false, isToComplete = false, isInDoubt = false, repair } = recovery;
      write({
        ...before,
        lost: losses.find((lost) => lost === before.lost || lost === recovery.lost) ?? before.lost,
        changes: Math.max(before.changes, changes),
        rows: { ...before.rows, ...recovery.rows },
        isToHold: before.isToHold || isToHold,
        isToComplete: before.isToComplete || isToComplete,
        repair: repair ?? before.repair,
        isInDoubt: before.isInDoubt || isInDoubt,
      });
    },
    done(what) {
      const before = read();
      if (before?.[what]) write({ ...before, [what]: false });
    },
    confirm: () => rmSync(file, { force: true }),
  };
}

/** Whatever stands in the file, with everything that is read of it. */
function completed(found: Partial<Recovery> | null): Recovery {
  const { at, lost, changes, rows, isToHold, isToComplete, isInDoubt, repair } = found ?? {};
  const isKnown = lost !== undefined && losses.includes(lost);
  return {
    at: typeof at === "string" ? at : "",
    lost: isKnown ? lost : "database",
    changes: typeof changes === "number" ? changes : 0,
    rows: typeof rows === "object" && rows !== null ? rows : {},
    isToHold: isToHold === true,
    isToComplete: isToComplete === true,
    repair: typeof repair?.aside === "string" && Array.isArray(repair.tables) ? repair : undefined,
    isInDoubt: isInDoubt === true || !isKnown,
  };
}

/** The same rules, and while a recovery is open one more that forbids every tool. */
export function withRecovery(rules: RuleStore, recovery: RecoveryRecord, text: () => string): RuleStore {
  const off = (): StandingRule => ({
    id: 0,
    text: text(),
    enforcement: { tools: ["effect:read", "effect:write", "effect:act"] },
    agentId: null,
    setBy: "pincer",
    createdAt: recovery.read()?.at ?? "",
  });
  return {
    ...rules,
    async list(query) {
      const found = await rules.list(query);
      return recovery.isOpen() ? [off(), ...found] : found;
    },
  };
}

/**
 * The same people and ways in, and while the policy is in doubt only those that are newer than the doubt: whoever had been turned away may be
 * among the others. Listing shows all, so that the owner can look.
 */
export function withoutDoubtful(
  { access, passkeys, pairing }: Pick<TenantStores, "access" | "passkeys" | "pairing">,
  recovery: RecoveryRecord,
): Pick<TenantStores, "access" | "passkeys" | "pairing"> {
  /** Undefined where everybody counts. */
  function since(): string | undefined {
    const open = recovery.isOpen() ? recovery.read() : undefined;
    return open?.isInDoubt ? open.at : undefined;
  }
  const counts = (createdAt: string): boolean => {
    const from = since();
    return from === undefined || createdAt > from;
  };
  const unlessOld = (found: AccessRecord | undefined) =>
    found && counts(found.createdAt) ? found : undefined;
  return {
    access: {
      ...access,
      findByDigest: async (digest) => unlessOld(await access.findByDigest(digest)),
      findDevice: async (publicKey) => unlessOld(await access.findDevice(publicKey)),
    },
    passkeys: {
      ...passkeys,
      async find(credentialId) {
        const found = await passkeys.find(credentialId);
        return found && counts(found.access.createdAt) ? found : undefined;
      },
    },
    pairing: {
      ...pairing,
      async isAllowed(sender) {
        if (since() === undefined) return pairing.isAllowed(sender);
        const { channel, accountId, senderId } = sender;
        const allowed = await pairing.listAllowed({ channel, accountId });
        return allowed.some((each) => each.senderId === senderId && counts(each.addedAt));
      },
      async isOwner(channel, senderId) {
        if (since() === undefined) return pairing.isOwner(channel, senderId);
        const owners = await pairing.listOwners();
        return owners.some(
          (each) => each.channel === channel && each.senderId === senderId && counts(each.claimedAt),
        );
      },
    },
  };
}
