import { useMessages } from '../text/MessagesContext.tsx';
import type { PickedFile } from './draft.ts';

/** How far a file is, in words and as a bar. */
export function FileState({ file }: { file: PickedFile }) {
  const { t } = useMessages();
  const { state, size, done_bytes, filename } = file;
  const size_text = useSize();
  if (state === 'refused' || state === 'published') return <span className="meta">{size_text(size)}</span>;
  if (state === 'sent')
    return (
      <span className="meta">
        {size_text(size)} · <span className="done">{t('publish.sent')}</span>
      </span>
    );
  const share = Math.min(1, done_bytes / Math.max(1, size));
  return (
    <>
      <span className="meta">
        {t('publish.bytes_of', { done: size_text(done_bytes), size: size_text(size) })} ·{' '}
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
  const { t, count } = useMessages();
  const size_text = useSize();
  if (state === 'reading') return t('publish.checking');
  if (state === 'queued') return t('publish.queued');
  if (state === 'paused') return t('publish.paused');
  if (state === 'waiting') return t('publish.waiting');
  if (!bytes_per_second) return t('publish.sending');
  const left_s = Math.ceil((size - done_bytes) / bytes_per_second);
  return [
    t('publish.per_second', { size: size_text(bytes_per_second) }),
    left_s < 90
      ? count('publish.seconds_left', left_s)
      : count('publish.minutes_left', Math.ceil(left_s / 60)),
  ].join(' · ');
}

const units = [
  [1024 ** 3, 'format.gibibytes'],
  [1024 ** 2, 'format.mebibytes'],
  [1024, 'format.kibibytes'],
] as const;

/** Sizes as everywhere on the site (`text/format.ts`). */
export function useSize(): (size: number) => string {
  const { t, number } = useMessages();
  return (size) => {
    const found = units.find(([unit]) => size >= unit);
    if (!found) return t('format.bytes', { number: number(Math.round(size)) });
    return t(found[1], { number: number(Math.trunc((100 * size) / found[0]) / 100, 2) });
  };
}
