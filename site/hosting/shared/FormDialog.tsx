import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from './Icon.tsx';

interface FormDialogProps {
  title: string;
  /** Name of the button that sends it; without one the dialog only closes. */
  action?: string;
  /** Whether it destroys something. */
  danger?: boolean;
  /** Whether everything is filled in. */
  isReady?: boolean;
  /** Why it cannot be sent now, shown at the button. */
  whyNot?: string | null;
  /** Whether something is awaited before it can be sent. */
  isBusy?: boolean;
  /** What was refused, in words: its title, and why. Given from the start, null for nothing. */
  problem?: readonly [title: string, text: string] | null;
  /** More buttons, before the one that sends it. */
  more?: ReactNode;
  wide?: boolean;
  /** Sends it; the dialog closes when that gives true. */
  submit?(): boolean | Promise<boolean>;
  /** It was closed. */
  done(): void;
  children: ReactNode;
}

/**
 * A dialog with a form; Enter does what its button says. It stays open, with the reason, when what it sends is refused. The
 * element with `data-first` gets the focus.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, action, more, wide = false, problem, done, children } = props;
  const { t } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { send, isSending } = useSending(props, () => dialog.current?.close());
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    // the browser chooses the first control, which closes it
    element.querySelector<HTMLElement>('[data-first]')?.focus();
    // closed before it is removed: only then the browser gives the focus back
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'wide' : undefined}
      onClose={done}
      aria-labelledby={id}
      data-dialog
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button className="btn quiet s icon" type="button" aria-label={t('servers.close')} data-closes>
          <Icon name="close" />
        </button>
      </header>
      <div>
        <form className="stack" id={`${id}-form`} noValidate onSubmit={(event) => void send(event)}>
          {problem !== undefined && <Problem problem={problem} />}
          {children}
        </form>
      </div>
      <footer>
        <button className="btn" type="button" data-closes>
          {t(action ? 'servers.cancel' : 'servers.close')}
        </button>
        {more}
        {action && (
          <button
            className={props.danger ? 'btn danger' : 'btn primary'}
            type="submit"
            form={`${id}-form`}
            aria-disabled={!canSend(props)}
            aria-busy={isSending || props.isBusy === true}
            data-tip={props.whyNot ?? undefined}
          >
            {action}
          </button>
        )}
      </footer>
    </dialog>
  );
}

const canSend = ({ isReady = true, whyNot = null }: FormDialogProps): boolean => isReady && whyNot === null;

/** Sends the form once at a time, and closes the dialog when that was done. */
function useSending(props: FormDialogProps, close: () => void) {
  const [isSending, setSending] = useState(false);
  // the state is a moment late: a form that is sent again as soon as its refusal is shown would not be
  const sending = useRef(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (sending.current || props.isBusy || !canSend(props) || !props.submit) return;
    sending.current = true;
    setSending(true);
    const isDone = await props.submit();
    sending.current = false;
    setSending(false);
    if (isDone) close();
  };
  return { send, isSending };
}

/** Its live region is there before it says anything. */
const Problem = ({ problem }: { problem: readonly [title: string, text: string] | null }) => (
  <div role="alert">
    {problem && (
      <div className="say bad">
        <Icon name="critical" />
        <b>{problem[0]}</b>
        <p>{problem[1]}</p>
      </div>
    )}
  </div>
);
