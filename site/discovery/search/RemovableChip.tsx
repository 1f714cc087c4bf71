import { Icon } from '../../platform/ui/Icon.tsx';
import type { ChipView } from './view.ts';

/** A filter that a click removes. */
export const RemovableChip = ({ chip: { text, label, href, out } }: { chip: ChipView }) => (
  <a className={out ? 'chip not' : 'chip on'} aria-label={label} href={href}>
    <bdi>{text}</bdi>
    <Icon name="x" />
  </a>
);
