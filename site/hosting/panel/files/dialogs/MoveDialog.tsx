import { useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { moveTo } from '../actions.ts';
import { $place } from '../files.store.ts';
import { canMoveTo, shownNameOf } from '../paths.ts';
import { useWhyNotAllowed } from '../why-not.ts';
import { FolderPicker } from './FolderPicker.tsx';

/** Asks where to move or copy something. */
export function MoveDialog({ paths, copy, done }: { paths: readonly string[]; copy: boolean; done(): void }) {
  const { t, number } = useMessages();
  const whyNot = useWhyNotAllowed();
  const [folder, setFolder] = useState($place.get().path);
  const values = { count: paths.length, shown: number(paths.length), name: shownNameOf(paths[0] ?? '') };
  return (
    <FormDialog
      title={
        paths.length === 1
          ? t(copy ? 'server_files.copy_one' : 'server_files.move_one', values)
          : t(copy ? 'server_files.copy_many' : 'server_files.move_many', values)
      }
      action={t(copy ? 'server_files.copy_here' : 'server_files.move_here')}
      whyNot={whyNot}
      isReady={copy || canMoveTo(paths, folder)}
      submit={() => {
        void moveTo(paths, folder, copy);
        return true;
      }}
      done={done}
    >
      <FolderPicker path={folder} choose={setFolder} />
    </FormDialog>
  );
}
