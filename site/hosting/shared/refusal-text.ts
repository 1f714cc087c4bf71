import type { MessageKey } from '#content/keys.ts';
import type { MessageReader } from '../../platform/text/message-reader.ts';
import type { Refusal } from './socket.ts';

/** Why a rule does not allow an action now, in the language of the page where there is a text for it. */
export function refusalText({ t, isPlain }: MessageReader, { error, description }: Refusal): string {
  const key = `error.${error}`;
  return isPlain(key) ? t(key as MessageKey) : description;
}
