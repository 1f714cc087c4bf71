import { useMessages } from '../../../../text/MessagesContext.tsx';
import { FileDialogFrame } from '../dialogs/FileDialogFrame.tsx';

interface Props {
  save(): Promise<void>;
  discard(): void;
  done(): void;
}

/** Asks what becomes of changes that are not saved. */
export function LeaveDialog({ save, discard, done }: Props) {
  const { t } = useMessages();
  const act = (what: () => unknown) => () => {
    done();
    void what();
  };
  return (
    <FileDialogFrame
      title={t('server_files.leave')}
      action={{ text: t('server_files.save'), isReady: true }}
      submit={act(save)}
      more={
        <button className="btn danger" type="button" onClick={act(discard)}>
          {t('server_files.discard')}
        </button>
      }
      done={done}
    >
      <p className="dim">{t('server_files.leave_text')}</p>
    </FileDialogFrame>
  );
}
