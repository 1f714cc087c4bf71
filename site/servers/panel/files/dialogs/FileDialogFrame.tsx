import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../../../../text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';

interface Props {
  title: string;
  /** The button that does it; without one the dialog only closes. */
  action?: { text: string; danger?: boolean; isReady: boolean; isBusy?: boolean };
  /** More buttons before it. */
  more?: ReactNode;
  wide?: boolean;
  submit?(): void;
  done(): void;
  children: ReactNode;
}

/** A dialog of the files page; Enter does what its button says. */
export function FileDialogFrame({ title, action, more, wide = false, submit, done, children }: Props) {
  const { t } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    // closed before it is removed: only then the browser gives the focus back
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'file-dialog wide' : 'file-dialog'}
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
        <form
          id={`${id}-form`}
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (action?.isReady && !action.isBusy) submit?.();
          }}
        >
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
            className={action.danger ? 'btn danger' : 'btn primary'}
            type="submit"
            form={`${id}-form`}
            aria-disabled={!action.isReady}
            aria-busy={action.isBusy}
          >
            {action.text}
          </button>
        )}
      </footer>
    </dialog>
  );
}
