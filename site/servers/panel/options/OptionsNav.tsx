import { useMessages } from '../../../text/MessagesContext.tsx';
import { type OptionPageId, optionPages } from './options.ts';

/** The pages of the options of server `id`. */
export function OptionsNav({ id, current }: { id: string; current: OptionPageId }) {
  const { t, link } = useMessages();
  return (
    <nav className="tabs subtabs" aria-label={t('servers.options_parts')}>
      {Object.entries(optionPages).map(([page, { path, label }]) => (
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
