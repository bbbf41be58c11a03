/** What a session wishes for its turns, beside its other facts. */
export function settingSchema(): string[] {
  return [`ALTER TABLE sessions ADD COLUMN settings_json TEXT NOT NULL DEFAULT '{}'`];
}
