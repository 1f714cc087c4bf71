import { useMessages } from '../../../../text/MessagesContext.tsx';
import { SftpCard } from '../SftpCard.tsx';
import { FileDialogFrame } from './FileDialogFrame.tsx';

/** How the user reaches these files with a program of their own. */
export function SftpDialog({ server_id, done }: { server_id: string; done(): void }) {
  const { t } = useMessages();
  return (
    <FileDialogFrame title={t('server_files.sftp')} wide done={done}>
      <SftpCard server_id={server_id} />
    </FileDialogFrame>
  );
}
