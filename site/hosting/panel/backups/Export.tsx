import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { createExport } from './actions.ts';
import { $waiting } from './backups.store.ts';

/** Makes everything of a server one archive, which then stands in the list; `whyNot`: why it cannot be made now. */
export function Export({ whyNot }: { whyNot: string | null }) {
  const { t } = useMessages();
  const isBusy = useStore($waiting).includes('export');
  const section = useRef<HTMLElement>(null);
  // the address leads here, and was read before the list was there
  useEffect(() => {
    if (location.hash === '#backups-export') section.current?.scrollIntoView();
  }, []);
  return (
    <section ref={section} className="stack take" aria-labelledby="backups-export">
      <h2 id="backups-export">{t('backup.export_title')}</h2>
      <p className="dim">{t('backup.export_text')}</p>
      <p>
        <button
          className="btn"
          type="button"
          aria-disabled={whyNot !== null}
          aria-busy={isBusy}
          data-tip={whyNot ?? undefined}
          onClick={() => void createExport(t('backup.export_failed'))}
        >
          {t('backup.export')}
        </button>
      </p>
    </section>
  );
}
