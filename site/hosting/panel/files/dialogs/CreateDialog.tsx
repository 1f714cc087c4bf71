import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { create } from '../actions.ts';
import { FileNameDialog } from './FileNameDialog.tsx';

/** Asks for the name of a new file or folder. */
export function CreateDialog({ type, done }: { type: 'file' | 'directory'; done(): void }) {
  const { t } = useMessages();
  return (
    <FileNameDialog
      title={t(type === 'file' ? 'server_files.new_file' : 'server_files.new_folder')}
      action={t('server_files.create')}
      hint={type === 'file' ? t('server_files.new_file_hint') : undefined}
      submit={(name, refuse) => create(name, type, { refused: refuse })}
      done={done}
    />
  );
}
