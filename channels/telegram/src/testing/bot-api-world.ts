/** The state of a Bot API server: chats, messages, files, unconfirmed updates. */
export interface FakePerson {
  id: number;
  is_bot: boolean;
  first_name: string;
  username?: string;
}

export interface FakeChat {
  id: number;
  type: "private" | "group" | "supergroup";
  title?: string;
  first_name?: string;
  is_forum?: boolean;
}

export interface FakeMessage {
  message_id: number;
  date: number;
  chat: FakeChat;
  from?: FakePerson;
  text?: string;
  caption?: string;
  [field: string]: unknown;
}

export interface FakeUpdate {
  update_id: number;
  [kind: string]: unknown;
}

export interface KeptChat {
  chat: FakeChat;
  messages: Map<number, FakeMessage>;
  topics: Set<number>;
  /** Why the bot cannot write there. */
  closed?: "blocked" | "kicked" | undefined;
  movedTo?: number | undefined;
}

export interface World {
  me: FakePerson & { username: string };
  now(): number;
  /** Shifts the server's clock. */
  skew(ms: number): void;
  chats: Map<number, KeptChat>;
  updates: FakeUpdate[];
  files: Map<string, { path: string; content: Uint8Array }>;
  queries: Map<string, { isAnswered: boolean; text?: string | undefined }>;
  commands: Array<{ command: string; description: string }>;
  actions: Array<{ chat: number; action: string; thread: number | undefined }>;
  drafts: Map<string, string>;
  webhook: { url: string; secret: string; lastError?: { date: number; message: string } | undefined };
  /** Rises with each message of a chat that does not count for itself. */
  nextMessage(chat: KeptChat): number;
  push(kind: string, content: unknown): FakeUpdate;
  /** Called at each new update. */
  onUpdate(listener: () => void): () => void;
}

export function createWorld({ me, now }: { me: World["me"]; now(): number }): World {
  let skewMs = 0;
  let messageNumber = 100;
  let updateNumber = 700_000;
  const listeners = new Set<() => void>();
  const updates: FakeUpdate[] = [];
  return {
    me,
    now: () => now() + skewMs,
    skew: (ms) => void (skewMs = ms),
    chats: new Map(),
    updates,
    files: new Map(),
    queries: new Map(),
    commands: [],
    actions: [],
    drafts: new Map(),
    webhook: { url: "", secret: "" },
    nextMessage({ chat, messages }) {
      if (chat.type === "supergroup") return Math.max(0, ...messages.keys()) + 1;
      messageNumber += 1;
      return messageNumber;
    },
    push(kind, content) {
      updateNumber += 1;
      const update = { update_id: updateNumber, [kind]: content };
      updates.push(update);
      for (const listener of listeners) listener();
      return update;
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
