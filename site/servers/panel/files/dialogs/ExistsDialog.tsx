import { useMessages } from '../../../../text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';

interface Props {
  /** What is there already, as the refusal says it. */
  text: string;
  choose(choice: 'replace' | 'skip' | 'rename'): void;
  done(): void;
}

/** Asks what becomes of what is there already. */
export function ExistsDialog({ text, choose, done }: Props) {
  const { t } = useMessages();
  const act = (choice: 'replace' | 'skip' | 'rename') => () => {
    done();
    choose(choice);
  };
  return (
    <FormDialog
      title={t('server_files.exists')}
      done={done}
      more={
        <>
          <button className="btn" type="button" onClick={act('skip')}>
            {t('server_files.skip')}
          </button>
          <button className="btn" type="button" onClick={act('replace')}>
            {t('server_files.replace')}
          </button>
          <button className="btn primary" type="button" onClick={act('rename')}>
            {t('server_files.keep_both')}
          </button>
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
