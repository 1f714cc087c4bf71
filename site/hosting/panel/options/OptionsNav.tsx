import { useContext } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { currentInView } from '../../shared/current-in-view.ts';
import { AccessContext, refusalFor } from '../core/access.ts';
import { type OptionPageId, optionPages } from './options.ts';

/** The pages of the options of server `id`. */
export function OptionsNav({ id, current }: { id: string; current: OptionPageId }) {
  const { t, link } = useMessages();
  const access = useContext(AccessContext);
  const shown = Object.entries(optionPages).filter(([, { whyNot }]) => !refusalFor(access, whyNot));
  return (
    <nav ref={currentInView} className="tabs subtabs" aria-label={t('servers.options_parts')}>
      {shown.map(([page, { path, label }]) => (
        <a
          key={page}
          href={link(`/servers/manage/${id}${path}`)}
          aria-current={page === current ? 'page' : undefined}
        >
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
