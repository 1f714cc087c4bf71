import { $server } from '../../core/panel.store.ts';
import { LogDialog } from '../../crash/LogDialog.tsx';
import { $dialog, type FileDialog } from '../files.store.ts';
import { SftpDialog } from '../SftpDialog.tsx';
import { CreateDialog } from './CreateDialog.tsx';
import { ExistsDialog } from './ExistsDialog.tsx';
import { FetchDialog } from './FetchDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import { UnpackDialog } from './UnpackDialog.tsx';

/** The dialog that is open. */
export function Dialogs({ dialog }: { dialog: FileDialog }) {
  // one that opens another one must not close it
  const done = () => $dialog.get() === dialog && $dialog.set(null);
  switch (dialog.kind) {
    case 'create':
      return <CreateDialog type={dialog.type} done={done} />;
    case 'move':
      return <MoveDialog paths={dialog.paths} copy={dialog.copy} done={done} />;
    case 'exists':
      return <ExistsDialog text={dialog.text} choose={dialog.choose} done={done} />;
    case 'unpack':
      return <UnpackDialog path={dialog.path} done={done} />;
    case 'sftp':
      return <SftpDialog server_id={dialog.server_id} done={done} />;
    case 'log':
      return <LogDialog server_id={$server.get()!.id} path={dialog.path} done={done} />;
    case 'fetch':
      return <FetchDialog done={done} />;
  }
}
