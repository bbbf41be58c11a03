/**
 * Sets the password of the page: only its hash is stored, in the secrets of the home, and the config says that it is
 * required.
 */
import { setConfig, type ConfigEditor } from "../../config/set-config.ts";
import { hashPassword } from "./password.ts";
import { failure } from "../../infra/failure.ts";

/** The gateway listens to others only with one that nobody guesses; of a hash it could not tell. */
const shortest = 16;

/** Throws `usage/bad-argument` for one that is too short, and as `setConfig`; nothing has changed then. */
export async function setPassword(editor: ConfigEditor, password: string): Promise<{ changed: boolean }> {
  if ([...password.trim()].length < shortest) {
    throw failure(
      "usage/bad-argument",
      "access.password.short",
      { least: shortest },
      { hint: "access.password.short.hint" },
    );
  }
  const { change } = await setConfig(editor, [
    { path: ["gateway", "auth", "password"], value: await hashPassword(password) },
    { path: ["gateway", "auth", "mode"], value: "password" },
  ]);
  return { changed: change !== undefined };
}
