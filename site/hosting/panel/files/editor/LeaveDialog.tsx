import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';

interface Props {
  save(): Promise<void>;
  discard(): void;
  done(): void;
}

/** Asks what becomes of changes that are not saved. */
export function LeaveDialog({ save, discard, done }: Props) {
  const { t } = useMessages();
  return (
    <FormDialog
      title={t('server_files.leave')}
      action={t('server_files.save')}
      submit={() => {
        void save();
        return true;
      }}
      more={
        <button
          className="btn danger"
          type="button"
          onClick={() => {
            done();
            discard();
          }}
        >
          {t('server_files.discard')}
        </button>
      }
      done={done}
    >
      <p className="dim">{t('server_files.leave_text')}</p>
    </FormDialog>
  );
}
