import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { Pages } from '../../platform/ui/Pages.tsx';
import type { View } from './view.ts';

/** Previous and next, above the list; all pages are below it. */
export function Pager({ turn }: { turn: View['turn'] }) {
  const { t } = useMessages();
  if (!turn) return null;
  return (
    <nav className="turn" aria-label={t('results.turn')}>
      <Way icon="left" name={t('pager.previous')} href={turn.previous} />
      <Way icon="right" name={t('pager.next')} href={turn.next} />
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
export function Footer({ view: { part, pages } }: { view: Pick<View, 'part' | 'pages'> }) {
  const { t } = useMessages();
  return (
    <div className="bottom">
      <span className="meta">{part}</span>
      <Pages {...pages} t={t} />
    </div>
  );
}
