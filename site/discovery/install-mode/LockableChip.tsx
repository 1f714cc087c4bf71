import { useStore } from '@nanostores/react';
import lock from 'lucide-static/icons/lock.svg?raw';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../platform/ui/Icon.tsx';
import { RemovableChip } from '../search/RemovableChip.tsx';
import type { ChipView } from '../search/view.ts';
import { $locked, removesLocked } from './lock.store.ts';

/** An active filter; one that the server needs cannot be removed. */
export function LockableChip({ chip }: { chip: ChipView }) {
  const { t } = useMessages();
  const locked = useStore($locked);
  if (!removesLocked(chip.href, locked)) return <RemovableChip chip={chip} />;
  return (
    <span className="chip on" data-tip={t('server_content.locked_text')}>
      <Drawing svg={lock} />
      <span className="hide">{t('server_content.locked')}</span> <bdi>{chip.text}</bdi>
    </span>
  );
}
