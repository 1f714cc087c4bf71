import { useId, useRef, useState } from 'react';
import type { IslandMessages } from '#content/island-messages.ts';
import { apiFetch } from '../../platform/browser/api-client.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { setPhase } from './publish.store.ts';

interface DeleteVersionProps {
  id: string;
  number: string;
  /** Where the page leads afterwards. */
  path: string;
  messages: IslandMessages;
  query: string;
}

/** Deletes a version after its number was typed. */
export function DeleteVersion({ messages, query, ...version }: DeleteVersionProps) {
  return (
    <MessagesProvider messages={messages} query={query}>
      <Confirmed {...version} />
    </MessagesProvider>
  );
}

function Confirmed({ id, number, path }: Pick<DeleteVersionProps, 'id' | 'number' | 'path'>) {
  const { t, link } = useMessages();
  const [typed, setTyped] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useId();
  const remove = async () => {
    await mutate({
      send: () => apiFetch('DELETE /v2/version/{id}', { path: { id } }),
      success: { title: t('publish.deleted'), text: '' },
      redirect: () => {
        setPhase('done'); // nothing is left to be saved
        return link(path);
      },
    });
  };
  return (
    <section className="row push">
      <button className="btn danger" type="button" onClick={() => dialog.current?.showModal()}>
        {t('publish.delete')}
      </button>
      <dialog ref={dialog} aria-labelledby={`${field}-title`} onClose={() => setTyped('')}>
        <header>
          <h2 id={`${field}-title`}>{t('publish.delete')}</h2>
        </header>
        <form
          className="stack"
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === number) void remove();
          }}
        >
          <p>{t('publish.delete_kept')}</p>
          <div className="field">
            <label htmlFor={field}>{t('publish.delete_text', { version: number })}</label>
            <input
              className="in"
              id={field}
              dir="auto"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </div>
          <footer>
            <button className="btn quiet" type="button" onClick={() => dialog.current?.close()}>
              {t('publish.cancel')}
            </button>
            <button className="btn danger" type="submit" disabled={typed !== number}>
              {t('publish.delete')}
            </button>
          </footer>
        </form>
      </dialog>
    </section>
  );
}
