import { useState } from 'react';
import { useMessages } from '../../../../text/MessagesContext.tsx';
import { create } from '../actions.ts';
import { FileDialogFrame } from './FileDialogFrame.tsx';
import { TextField } from './TextField.tsx';

/** Asks for the name of a new file or folder. */
export function CreateDialog({ type, done }: { type: 'file' | 'directory'; done(): void }) {
  const { t } = useMessages();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    const isDone = await create(name.trim(), type, { refused: setProblem });
    setBusy(false);
    if (isDone) done();
  };
  return (
    <FileDialogFrame
      title={t(type === 'file' ? 'server_files.new_file' : 'server_files.new_folder')}
      action={{ text: t('server_files.create'), isReady: name.trim() !== '', isBusy }}
      submit={() => void submit()}
      done={done}
    >
      <TextField
        first
        label={t('server_files.name')}
        value={name}
        change={(to) => {
          setName(to);
          setProblem('');
        }}
        problem={problem}
        hint={type === 'file' ? t('server_files.new_file_hint') : undefined}
      />
    </FileDialogFrame>
  );
}
