import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { isOwnDrag } from './drag.ts';
import { FileIcon } from './FileIcon.tsx';
import { isAllowed } from './why-not.ts';

/** Takes files and folders that are dragged in from outside. */
export function DropArea({ children }: { children: ReactNode }) {
  const { t } = useMessages();
  const [isOver, setOver] = useState(false);
  /** Elements that the pointer is in: a child is entered before its parent is left. */
  const depth = useRef(0);
  const enter = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event) || !isAllowed()) return;
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const drop = async (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    if (!isAllowed()) return;
    // entries are only readable until the event is over
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const { addDropped } = await import('./upload/uploads.ts');
    void addDropped(entries);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Upload" does the same
    <div
      className={isOver ? 'drop-area over' : 'drop-area'}
      onDragEnter={enter(1)}
      onDragLeave={enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <p className="drop-here">
          <FileIcon kind="upload" />
          {t('server_files.drop_here')}
        </p>
      )}
    </div>
  );
}

const hasFiles = (event: DragEvent): boolean =>
  !isOwnDrag(event) && event.dataTransfer.types.includes('Files');
