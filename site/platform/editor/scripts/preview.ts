import { apiFetch } from '../../browser/api-client.ts';
import type { MessageReader } from '../../text/message-reader.ts';

/** Shows `text` in `place` as the page will show it: rendered and cleaned by the server. */
export async function showPreview(
  place: HTMLElement,
  text: string,
  {
    t,
  }: Pick<
    MessageReader<'editor.say_preview_empty' | 'editor.say_preview_failed' | 'editor.say_preview_wait'>,
    't'
  >,
  signal: AbortSignal,
): Promise<void> {
  const say = (words: string) => {
    const line = document.createElement('p');
    line.className = 'dim';
    line.textContent = words;
    place.replaceChildren(line);
  };
  if (text.trim() === '') return say(t('editor.say_preview_empty'));
  say(t('editor.say_preview_wait'));
  place.ariaBusy = 'true';
  const result = await apiFetch('POST /_internal/preview', {
    json: { text },
    signal,
  });
  if (signal.aborted) return;
  place.ariaBusy = null;
  if (result.ok) place.innerHTML = result.data.html;
  else say(result.error.description || t('editor.say_preview_failed'));
}
