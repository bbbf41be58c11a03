/** Which files belong to a message, by what Telegram tells of them. */
import type { TelegramMessage } from "./update-schema.ts";

export interface FileToFetch {
  fileId: string;
  name: string;
  mimeType: string;
  /** As Telegram tells it; it need not. */
  sizeBytes: number | undefined;
}

export function filesOf(message: TelegramMessage): FileToFetch[] {
  const { photo, document, animation, audio, video, video_note: round, voice, sticker } = message;
  if (photo) return photoOf(photo, message.message_id);
  // An animation comes as a document too, for those who do not know it.
  if (animation) return [fileOf(animation, "animation.mp4", "video/mp4")];
  if (document) return [fileOf(document, "document", "application/octet-stream")];
  if (audio) return [fileOf(audio, "audio.mp3", "audio/mpeg")];
  if (video) return [fileOf(video, "video.mp4", "video/mp4")];
  if (round) return [fileOf(round, `video-message-${round.duration ?? 0}s.mp4`, "video/mp4")];
  if (voice) return [fileOf(voice, `voice-message-${voice.duration ?? 0}s.ogg`, "audio/ogg")];
  return sticker ? stickerOf(sticker) : [];
}

function photoOf(sizes: NonNullable<TelegramMessage["photo"]>, number: number): FileToFetch[] {
  const largest = [...sizes].sort((a, b) => b.width * b.height - a.width * a.height)[0];
  return largest ? [fileOf(largest, `photo-${number}.jpg`, "image/jpeg")] : [];
}

/** Of one that moves only the still picture is of use. */
function stickerOf(sticker: NonNullable<TelegramMessage["sticker"]>): FileToFetch[] {
  if (!sticker.is_animated && !sticker.is_video) return [fileOf(sticker, "sticker.webp", "image/webp")];
  return sticker.thumbnail ? [fileOf(sticker.thumbnail, "sticker.webp", "image/webp")] : [];
}

interface FileInfo {
  file_id: string;
  file_size?: number;
  file_name?: string;
  mime_type?: string;
}

const fileOf = (info: FileInfo, name: string, mimeType: string): FileToFetch => ({
  fileId: info.file_id,
  name: info.file_name ?? name,
  mimeType: info.mime_type ?? mimeType,
  sizeBytes: info.file_size,
});
