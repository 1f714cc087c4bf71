import type { FileType } from '#db/platform/files/rules.ts';
import { sizeText } from '../../platform/text/bytes.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { FileTypeSelect } from './FileTypeSelect.tsx';

/** A file that the edited version has. */
export interface ExistingFile {
  sha512: string;
  filename: string;
  size: number;
  primary: boolean;
  file_type: FileType | null;
  /** Whether saving deletes it. */
  removed: boolean;
}

interface ExistingFilesProps {
  files: readonly ExistingFile[];
  change(files: readonly ExistingFile[]): void;
}

/** The files of the edited version: their types, and which are deleted when it is saved. One stays. */
export function ExistingFiles({ files, change }: ExistingFilesProps) {
  const messages = useMessages();
  const { t } = messages;
  const set = (sha512: string, given: Partial<ExistingFile>) =>
    change(files.map((file) => (file.sha512 === sha512 ? { ...file, ...given } : file)));
  const left = files.filter(({ removed }) => !removed).length;
  return (
    <ul className="picked">
      {files.map(({ sha512, filename, size, primary, file_type, removed }) => (
        <li key={sha512} data-state={removed ? 'removed' : 'there'}>
          <span className="file">
            <bdi>{filename}</bdi>
            {primary && <span className="badge">{t('publish.primary')}</span>}
          </span>
          <button
            className="btn s"
            type="button"
            disabled={!removed && left === 1}
            title={!removed && left === 1 ? t('publish.last_file') : undefined}
            aria-label={t(removed ? 'publish.keep_file' : 'publish.remove_file', { filename })}
            onClick={() => set(sha512, { removed: !removed })}
          >
            {t(removed ? 'publish.keep' : 'publish.remove')}
          </button>
          <span className="meta">
            {sizeText(messages, size)}
            {removed && <span className="err"> · {t('publish.will_be_removed')}</span>}
          </span>
          {!primary && !removed && (
            <FileTypeSelect
              filename={filename}
              value={file_type}
              choose={(chosen) => set(sha512, { file_type: chosen })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
