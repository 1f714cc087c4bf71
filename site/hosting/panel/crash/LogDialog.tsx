import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { Findings } from './Findings.tsx';
import { ShareLog } from './ShareLog.tsx';

interface LogDialogProps {
  server_id: string;
  /** A log; without it what there is of the last crash, which is shown already. */
  path?: string;
  done(): void;
}

/** What a log says is wrong, and a way to share it. */
export function LogDialog({ server_id, path, done }: LogDialogProps) {
  const { t } = useMessages();
  return (
    <FormDialog
      title={t(path === undefined ? 'crash_help.share' : 'crash_help.found_title')}
      wide
      done={done}
    >
      {path !== undefined && (
        <>
          <p className="meta" dir="ltr">
            {path}
          </p>
          <Findings server_id={server_id} path={path} />
        </>
      )}
      <ShareLog path={path} />
    </FormDialog>
  );
}
