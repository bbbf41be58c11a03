/**
 * Combines the settings for a turn: the defaults, then the session's settings, then those that the turn was started
 * with.
 */
import { settingsOf } from "./session-settings.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";

/** A model is named as a whole: one by the session takes the place of provider and model, and one by the turn that of the session's. */
export function withSessionWishes(
  usual: TurnWishes,
  session: Pick<SessionRecord, "settings"> | undefined,
  own: TurnWishes,
): TurnWishes {
  const { model, think } = session ? settingsOf(session) : {};
  const { provider: _provider, model: _model, ...rest } = usual;
  const isNamed = own.provider !== undefined || own.model !== undefined;
  return {
    ...(model === undefined || isNamed ? usual : { ...rest, model }),
    ...(think && { thinking: think }),
    ...own,
  };
}
