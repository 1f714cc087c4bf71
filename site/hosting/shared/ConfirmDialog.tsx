import { useEffect, useId, useRef, useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { Confirmation } from './confirmation.ts';
import { suppress } from './confirmations.store.ts';
import { Icon } from './Icon.tsx';

/** A question before an action, in a dialog. */
export function ConfirmDialog({ question, done }: { question: Confirmation; done(): void }) {
  const { t } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isLast, setLast] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const isReady = !question.typed || typed.trim() === question.typed.text;
  const act = () => {
    if (!isReady) return;
    if (isLast && question.suppress_key) suppress(question.suppress_key);
    dialog.current?.close();
    question.act();
  };
  return (
    <dialog ref={dialog} onClose={done} aria-labelledby={id} aria-describedby={`${id}-text`} data-dialog>
      <header>
        <h2 id={id}>{question.title}</h2>
        <button className="btn quiet s icon" type="button" aria-label={t('servers.close')} data-closes>
          <Icon name="close" />
        </button>
      </header>
      <div className="stack">
        <p id={`${id}-text`} className="dim">
          {question.text}
        </p>
        {question.link && (
          <p>
            <a className="link" href={question.link.href} data-closes>
              {question.link.text}
            </a>
          </p>
        )}
        {question.typed && (
          <label className="field">
            <span className="label">{question.typed.label}</span>
            <input
              className="in"
              dir="auto"
              value={typed}
              autoComplete="off"
              placeholder={question.typed.text}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && act()}
            />
          </label>
        )}
        {question.suppress_key && (
          <label className="check">
            <input type="checkbox" checked={isLast} onChange={(event) => setLast(event.target.checked)} />
            {t('servers.no_asking')}
          </label>
        )}
      </div>
      <footer>
        <button className="btn" type="button" data-closes>
          {t('servers.cancel')}
        </button>
        <button className="btn danger" type="button" aria-disabled={!isReady} onClick={act}>
          {question.action}
        </button>
      </footer>
    </dialog>
  );
}
