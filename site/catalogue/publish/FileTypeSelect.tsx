import { type FileType, fileTypes } from '#db/platform/files/rules.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';

interface FileTypeSelectProps {
  filename: string;
  value: FileType | null;
  choose(type: FileType | null): void;
}

/** What an additional file of a version is; null when its publisher does not say. */
export function FileTypeSelect({ filename, value, choose }: FileTypeSelectProps) {
  const { t } = useMessages();
  return (
    <select
      className="in"
      aria-label={t('publish.type_of', { filename })}
      value={value ?? ''}
      onChange={({ target }) => choose((target.value || null) as FileType | null)}
    >
      <option value="">{t('publish.no_type')}</option>
      {fileTypes.map((type) => (
        <option key={type} value={type}>
          {t(`version.type_${type}`)}
        </option>
      ))}
    </select>
  );
}
