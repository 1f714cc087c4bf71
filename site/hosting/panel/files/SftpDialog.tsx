import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { SftpCard } from './SftpCard.tsx';

/** How the user reaches these files with a program of their own. */
export function SftpDialog({ server_id, done }: { server_id: string; done(): void }) {
  const { t } = useMessages();
  return (
    <FormDialog title={t('server_files.sftp')} wide done={done}>
      <SftpCard server_id={server_id} />
    </FormDialog>
  );
}
