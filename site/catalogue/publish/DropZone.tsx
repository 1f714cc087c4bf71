import upload from 'lucide-static/icons/upload.svg?raw';
import { type ChangeEvent, type DragEvent, useEffect, useState } from 'react';
import { fileExtensions } from '#db/platform/files/rules.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../platform/ui/Icon.tsx';
import { droppedFiles } from '../version/dropped-files.ts';
import { addFiles } from './files.store.ts';

const accept = Object.keys(fileExtensions)
  .map((extension) => `.${extension}`)
  .join(',');

interface DropZoneProps {
  /** While there are files already. */
  small: boolean;
  isInvalid: boolean;
}

/** Where files are dropped or chosen. The whole page takes them, so that none is opened instead. */
export function DropZone({ small, isInvalid }: DropZoneProps) {
  const { t } = useMessages();
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    const over = (event: Event) => event.preventDefault();
    const drop = (event: Event) => {
      if (event.defaultPrevented) return; // a picture for the changelog
      event.preventDefault();
      setOver(false);
      addFiles((event as unknown as DragEvent).dataTransfer?.files ?? []);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    // files that were dropped on the list of versions
    void droppedFiles().then(addFiles);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);

  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    addFiles([...(target.files ?? [])]);
    target.value = ''; // the same file may be chosen again
  };
  return (
    <label
      className={['dropzone', small && 'small', isOver && 'over'].filter(Boolean).join(' ')}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
    >
      <input type="file" multiple accept={accept} aria-invalid={isInvalid} onChange={choose} />
      <Drawing svg={upload} />
      <b>{t(small ? 'publish.drop_more' : 'publish.drop')}</b>
      {!small && <span className="meta">{t('publish.drop_hint')}</span>}
    </label>
  );
}
