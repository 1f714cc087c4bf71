import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { useWhyNotAllowed } from '../why-not.ts';

interface Props {
  /** What is there already, as the refusal says it. */
  text: string;
  choose(choice: 'replace' | 'skip' | 'rename'): void;
  done(): void;
}

/** Asks what becomes of what is there already. */
export function ExistsDialog({ text, choose, done }: Props) {
  const { t } = useMessages();
  const whyNot = useWhyNotAllowed();
  const button = (choice: 'replace' | 'skip' | 'rename', text: string, look = 'btn') => (
    <button
      className={look}
      type="button"
      aria-disabled={whyNot !== null}
      data-tip={whyNot ?? undefined}
      onClick={() => {
        if (whyNot !== null) return;
        done();
        choose(choice);
      }}
    >
      {text}
    </button>
  );
  return (
    <FormDialog
      title={t('server_files.exists')}
      done={done}
      more={
        <>
          {button('skip', t('server_files.skip'))}
          {button('replace', t('server_files.replace'))}
          {button('rename', t('server_files.keep_both'), 'btn primary')}
        </>
      }
    >
      <p className="dim">
        <bdi>{text}</bdi>
      </p>
      <p className="dim">{t('server_files.exists_text')}</p>
    </FormDialog>
  );
}
