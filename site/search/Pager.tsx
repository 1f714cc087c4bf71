import { Icon } from '../ui/Icon.tsx';
import { Pages } from '../ui/Pages.tsx';
import type { Labels, View } from './view.ts';

/** Previous and next, above the list; all pages are below it. */
export function Pager({ turn, labels }: { turn: View['turn']; labels: Labels }) {
  if (!turn) return null;
  return (
    <nav className="turn" aria-label={labels['search.turn']}>
      <Way icon="left" name={labels['shell.previous']} href={turn.previous} />
      <Way icon="right" name={labels['shell.next']} href={turn.next} />
    </nav>
  );
}

/** A link; a disabled one stays visible, so that the other does not move under the pointer. */
function Way({ icon, name, href }: { icon: 'left' | 'right'; name: string; href: string | null }) {
  const style = { className: 'btn quiet s icon', 'aria-label': name };
  const drawing = <Icon name={icon} />;
  if (href !== null)
    return (
      <a {...style} href={href}>
        {drawing}
      </a>
    );
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements: a link that leads nowhere
    <span {...style} role="link" aria-disabled="true">
      {drawing}
    </span>
  );
}

/** Below the list: the visible range, and the pages. */
export const Footer = ({ view: { part, pages }, labels }: { view: View; labels: Labels }) => (
  <div className="bottom">
    <span className="meta">{part}</span>
    <Pages {...pages} labels={labels} />
  </div>
);
