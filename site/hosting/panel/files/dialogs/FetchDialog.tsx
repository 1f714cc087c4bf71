import { useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { TextField } from '../../../shared/TextField.tsx';
import { $place } from '../files.store.ts';
import { fetchTo } from '../long-actions.ts';
import { useWhyNotAllowed } from '../why-not.ts';

/** The last part of an address, as a name. */
function nameIn(url: string): string {
  try {
    const { pathname } = new URL(url);
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  } catch {
    return '';
  }
}

/** Asks for an address to fetch a file from. */
export function FetchDialog({ done }: { done(): void }) {
  const { t } = useMessages();
  const whyNot = useWhyNotAllowed();
  const [url, setUrl] = useState('');
  const [name, setName] = useState<string | null>(null);
  const [folder] = useState($place.get().path);
  const isAddress = /^https?:\/\/./i.test(url.trim());
  const used = name ?? nameIn(url.trim());
  return (
    <FormDialog
      title={t('server_files.fetch')}
      action={t('server_files.fetch_start')}
      whyNot={whyNot}
      isReady={isAddress && used.trim() !== ''}
      submit={() => {
        void fetchTo(url.trim(), folder, used.trim());
        return true;
      }}
      done={done}
    >
      <TextField
        first
        type="url"
        limit={2000}
        label={t('server_files.fetch_address')}
        value={url}
        change={setUrl}
        hint={t('server_files.fetch_hint')}
        problem={url.trim() !== '' && !isAddress && url.length > 8 ? t('server_files.fetch_wrong') : ''}
      />
      <TextField label={t('server_files.fetch_name')} value={used} change={setName} />
    </FormDialog>
  );
}
