import { useStore } from '@nanostores/react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { $chip } from './extensions.store.ts';
import { RemovableChip } from './RemovableChip.tsx';
import type { View } from './view.ts';

interface ChipsProps {
  view: Pick<View, 'chips' | 'cleared'>;
}

/** The active filters, each a link that removes it. */
export function Chips({ view: { chips, cleared } }: ChipsProps) {
  const { t } = useMessages();
  const Chip = useStore($chip, { ssr: 'initial' }) ?? RemovableChip;
  if (!cleared) return null;
  return (
    <ul className="row wrap" aria-label={t('results.active')}>
      {chips.map((chip) => (
        <li key={chip.label}>
          <Chip chip={chip} />
        </li>
      ))}
      <li>
        <a className="btn quiet s" href={cleared}>
          {t('results.clear')}
        </a>
      </li>
    </ul>
  );
}
