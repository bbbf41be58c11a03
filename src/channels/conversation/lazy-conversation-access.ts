/** Conversation access that opens the database on first use. */
import type { ConversationAccess } from "../../tools/conversation/conversation-access.ts";

export interface LazyConversationAccess {
  access: ConversationAccess;
  /** Closes what was opened. Safe to call twice. */
  close(): Promise<void>;
}

export interface OpenedConversationAccess {
  access: ConversationAccess;
  close(): Promise<void>;
}

export function lazyConversationAccess(
  open: () => Promise<OpenedConversationAccess>,
): LazyConversationAccess {
  let opened: Promise<OpenedConversationAccess> | undefined;
  const sessions = async () => (await (opened ??= open())).access.sessions;
  const messages = async () => (await (opened ??= open())).access.messages;
  return {
    access: {
      sessions: {
        list: async (request, caller) => (await sessions()).list(request, caller),
        history: async (request, caller) => (await sessions()).history(request, caller),
        status: async (session, caller) => (await sessions()).status(session, caller),
        find: async (session, caller) => (await sessions()).find(session, caller),
        send: async (request, caller) => (await sessions()).send(request, caller),
        shown: ({ session, text }) => `${session.sessionKey}: ${text}`,
      },
      messages: {
        find: async (to, caller) => (await messages()).find(to, caller),
        send: async (message, caller) => (await messages()).send(message, caller),
        shown: ({ recipient, text }) => `${recipient.name}: ${text}`,
      },
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
      opened = undefined;
    },
  };
}
