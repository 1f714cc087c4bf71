import { useEffect, useState } from 'react';
import { apiFetch } from '../../platform/browser/api-client.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { set } from './publish.store.ts';

interface LicenseOfferProps {
  /** What a file says. */
  found: string | null;
  chosen: string | null;
}

/** Offers the license of a file to a project that has none; nothing when we know no license of this name. */
export function LicenseOffer({ found, chosen }: LicenseOfferProps) {
  const { t } = useMessages();
  const [title, setTitle] = useState<string | null>(null);
  useEffect(() => {
    let isOld = false;
    setTitle(null);
    set({ license: null });
    if (found)
      void apiFetch('GET /v2/tag/license/{id}', { path: { id: found } }).then((answer) => {
        if (isOld || !answer.ok) return;
        setTitle(answer.data.title);
        set({ license: found });
      });
    return () => {
      isOld = true;
    };
  }, [found]);
  if (!title) return null;
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={chosen === found}
        onChange={({ target }) => set({ license: target.checked ? found : null })}
      />
      <span>{t('publish.use_license', { license: bidiIsolated(title) })}</span>
    </label>
  );
}
