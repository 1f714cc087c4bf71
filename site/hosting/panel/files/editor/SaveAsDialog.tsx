import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FileNameDialog } from '../dialogs/FileNameDialog.tsx';
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
  const submit = async (name: string, refuse: (why: string) => void) => {
    const result = await save(joinPath(parentOf(path), name));
    if (result.ok) saved(name);
    else
      refuse(
        result.code === 'changed' || result.code === 'exists'
          ? t('server_files.name_taken')
          : result.text || t('servers.line_lost'),
      );
    return result.ok;
  };
  return (
    <FileNameDialog
      title={t('server_files.save_as')}
      action={t('server_files.save')}
      hint={t('server_files.save_as_hint')}
      known={nameOf(path)}
      {...{ submit, done }}
    />
  );
}
