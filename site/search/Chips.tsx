import { useMessages } from '../text/MessagesContext.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { View } from './view.ts';

interface ChipsProps {
  view: Pick<View, 'chips' | 'cleared'>;
}

/** The active filters, each a link that removes it. */
export function Chips({ view: { chips, cleared } }: ChipsProps) {
  const { t } = useMessages();
  if (!cleared) return null;
  return (
    <ul className="row wrap" aria-label={t('results.active')}>
      {chips.map(({ text, label, href, out }) => (
        <li key={label}>
          <a className={out ? 'chip not' : 'chip on'} aria-label={label} href={href}>
            <bdi>{text}</bdi>
            <Icon name="x" />
          </a>
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
