import { Icon } from '../ui/Icon.tsx';
import type { View, Words } from './view.ts';

interface ChipsProps {
  view: Pick<View, 'chips' | 'cleared'>;
  words: Words;
}

/** The active filters, each a link that takes it away. */
export function Chips({ view: { chips, cleared }, words }: ChipsProps) {
  if (!cleared) return null;
  return (
    <ul className="row wrap" aria-label={words['search.active']}>
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
          {words['search.clear']}
        </a>
      </li>
    </ul>
  );
}
