import { useState } from 'react';
import { useMessages } from '../../../../text/MessagesContext.tsx';
import { FileDialogFrame } from '../dialogs/FileDialogFrame.tsx';
import { TextField } from '../dialogs/TextField.tsx';
import { joinPath, nameOf, parentOf } from '../paths.ts';
import type { SaveResult } from './text-file.ts';

interface Props {
  path: string;
  save(path: string): Promise<SaveResult>;
  saved(name: string): void;
  done(): void;
}

/** Asks for the name of a copy, beside the file. */
export function SaveAsDialog({ path, save, saved, done }: Props) {
  const { t } = useMessages();
  const [name, setName] = useState(nameOf(path));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    const result = await save(joinPath(parentOf(path), name.trim()));
    setBusy(false);
    if (result.ok) {
      done();
      saved(name.trim());
    } else
      setProblem(
        result.code === 'changed' || result.code === 'exists'
          ? t('server_files.name_taken')
          : result.text || t('servers.line_lost'),
      );
  };
  return (
    <FileDialogFrame
      title={t('server_files.save_as')}
      action={{
        text: t('server_files.save'),
        isReady: name.trim() !== '' && name.trim() !== nameOf(path),
        isBusy,
      }}
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
        hint={t('server_files.save_as_hint')}
      />
    </FileDialogFrame>
  );
}
