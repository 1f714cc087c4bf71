import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FileIcon } from '../files/FileIcon.tsx';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

interface DropProps {
  whyNot: string | null;
  children: ReactNode;
}

/** Takes files that are dragged in from outside, and puts each where the server loads it from. */
export function DropContent({ whyNot, children }: DropProps) {
  const { t } = useMessages();
  const [isOver, setOver] = useState(false);
  /** Elements that the pointer is in: a child is entered before its parent is left. */
  const depth = useRef(0);
  const enter = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const drop = async (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (whyNot !== null) return;
    const { uploadContent } = await import('./upload.ts');
    uploadContent(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Upload" does the same
    <div
      className="drop-area"
      onDragEnter={enter(1)}
      onDragLeave={enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => void drop(event)}
    >
      {children}
      {isOver && (
        <p className="drop-here">
          <FileIcon kind="upload" />
          {whyNot ?? t('server_content.drop_here')}
        </p>
      )}
    </div>
  );
}
