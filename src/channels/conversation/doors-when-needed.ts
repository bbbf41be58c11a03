/** The doors to other conversations, opened when somebody goes through one: opening them takes the database. */
import type { ConversationDoors } from "../../tools/conversation/conversation-doors.ts";

export interface DoorsWhenNeeded {
  doors: ConversationDoors;
  /** Closes what was opened. Safe to call twice. */
  close(): Promise<void>;
}

export interface OpenedDoors {
  doors: ConversationDoors;
  close(): Promise<void>;
}

export function doorsWhenNeeded(open: () => Promise<OpenedDoors>): DoorsWhenNeeded {
  let opened: Promise<OpenedDoors> | undefined;
  const sessions = async () => (await (opened ??= open())).doors.sessions;
  const messages = async () => (await (opened ??= open())).doors.messages;
  return {
    doors: {
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
