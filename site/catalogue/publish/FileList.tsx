import { type PickedFile, primaryFileOf } from './draft.ts';
import { FileRow } from './FileRow.tsx';

interface FileListProps {
  files: readonly PickedFile[];
  isEdit: boolean;
}

/** The files that are read and sent. */
export function FileList({ files, isEdit }: FileListProps) {
  if (files.length === 0) return null;
  const primary = isEdit ? undefined : primaryFileOf({ files });
  return (
    <ul className="picked">
      {files.map((file) => (
        <FileRow key={file.key} file={file} isPrimary={file.key === primary?.key} canBePrimary={!isEdit} />
      ))}
    </ul>
  );
}
