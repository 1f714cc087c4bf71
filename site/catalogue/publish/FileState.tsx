import { sizeText } from '../../platform/text/bytes.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { PickedFile } from './draft.ts';

/** How far a file is, in words and as a bar. */
export function FileState({ file }: { file: PickedFile }) {
  const messages = useMessages();
  const { t } = messages;
  const { state, size, done_bytes, filename } = file;
  if (state === 'refused' || state === 'published')
    return <span className="meta">{sizeText(messages, size)}</span>;
  if (state === 'sent')
    return (
      <span className="meta">
        {sizeText(messages, size)} · <span className="done">{t('publish.sent')}</span>
      </span>
    );
  const share = Math.min(1, done_bytes / Math.max(1, size));
  return (
    <>
      <span className="meta">
        {t('publish.bytes_of', { done: sizeText(messages, done_bytes), size: sizeText(messages, size) })} ·{' '}
        <StateText file={file} />
      </span>
      <progress
        className={state === 'waiting' || state === 'paused' ? 'rests' : undefined}
        aria-label={t('publish.progress_of', { filename })}
        max={1}
        value={share}
      />
    </>
  );
}

function StateText({ file: { state, size, done_bytes, bytes_per_second } }: { file: PickedFile }) {
  const messages = useMessages();
  const { t, count } = messages;
  if (state === 'reading') return t('publish.checking');
  if (state === 'queued') return t('publish.queued');
  if (state === 'paused') return t('publish.paused');
  if (state === 'waiting') return t('publish.waiting');
  if (!bytes_per_second) return t('publish.sending');
  const left_s = Math.ceil((size - done_bytes) / bytes_per_second);
  return [
    t('publish.per_second', { size: sizeText(messages, bytes_per_second) }),
    left_s < 90
      ? count('publish.seconds_left', left_s)
      : count('publish.minutes_left', Math.ceil(left_s / 60)),
  ].join(' · ');
}
