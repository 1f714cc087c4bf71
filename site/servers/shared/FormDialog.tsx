import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useMessages } from '../../text/MessagesContext.tsx';
import { Icon } from './Icon.tsx';

interface FormDialogProps {
  title: string;
  /** Name of the button that sends it. */
  action: string;
  /** Whether it destroys something. */
  danger?: boolean;
  /** Why it cannot be sent now. */
  whyNot?: string | null;
  /** What was refused, in words: its title, and why. */
  problem?: readonly [title: string, text: string] | null;
  /** Sends it; the dialog closes when that gives true. */
  submit(): Promise<boolean>;
  /** It was closed. */
  done(): void;
  children: ReactNode;
}

/** A dialog with a form. It stays open, with the reason, when what it sends is refused. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, danger = false, whyNot = null, problem, submit, done, children } = props;
  const { t } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    // the browser chooses the first control, which closes it
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || whyNot !== null) return;
    setSending(true);
    const isDone = await submit();
    setSending(false);
    if (isDone) dialog.current?.close();
  };
  return (
    <dialog ref={dialog} onClose={done} aria-labelledby={id} data-dialog>
      <header>
        <h2 id={id}>{title}</h2>
        <button className="btn quiet s icon" type="button" aria-label={t('servers.close')} data-closes>
          <Icon name="close" />
        </button>
      </header>
      <div>
        <form className="stack" id={`${id}-form`} noValidate onSubmit={(event) => void send(event)}>
          <div role="alert">
            {problem && (
              <div className="say bad">
                <Icon name="critical" />
                <b>{problem[0]}</b>
                <p>{problem[1]}</p>
              </div>
            )}
          </div>
          {children}
        </form>
      </div>
      <footer>
        <button className="btn" type="button" data-closes>
          {t('servers.cancel')}
        </button>
        <button
          className={danger ? 'btn danger' : 'btn primary'}
          type="submit"
          form={`${id}-form`}
          aria-disabled={whyNot !== null}
          aria-busy={isSending}
          data-tip={whyNot ?? undefined}
        >
          {action}
        </button>
      </footer>
    </dialog>
  );
}
