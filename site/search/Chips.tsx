import { Icon } from '../ui/Icon.tsx';
import type { Labels, View } from './view.ts';

interface ChipsProps {
  view: Pick<View, 'chips' | 'cleared'>;
  labels: Labels;
}

/** The active filters, each a link that removes it. */
export function Chips({ view: { chips, cleared }, labels }: ChipsProps) {
  if (!cleared) return null;
  return (
    <ul className="row wrap" aria-label={labels['search.active']}>
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
          {labels['search.clear']}
        </a>
      </li>
    </ul>
  );
}
