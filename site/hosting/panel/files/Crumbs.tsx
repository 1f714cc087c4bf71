import right from 'lucide-static/icons/chevron-right.svg?raw';
import house from 'lucide-static/icons/house.svg?raw';
import type { DragEvent, MouseEvent } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../platform/ui/Icon.tsx';
import { searchOf } from './address.ts';
import { dropOn, isOwnDrag } from './drag.ts';
import { go } from './folder.ts';
import { crumbsOf } from './paths.ts';

/** The folders above, each a link and a place to drop what is dragged; the last one is where one is. */
export function Crumbs({ path, file }: { path: string; file?: string }) {
  const { t } = useMessages();
  const crumbs = [{ name: '', path: '' }, ...crumbsOf(path)];
  return (
    <nav aria-label={t('server_files.where')}>
      <ol className="crumbs big">
        {crumbs.map((crumb, i) => (
          <li key={crumb.path}>
            {i > 0 && <Drawing svg={right} turns />}
            <Crumb {...crumb} isHere={i === crumbs.length - 1 && !file} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Crumb({ name, path, isHere }: { name: string; path: string; isHere: boolean }) {
  const { t } = useMessages();
  const content =
    path === '' ? (
      <>
        <Drawing svg={house} />
        <span className="hide">{t('server_files.top')}</span>
      </>
    ) : (
      <bdi>{name}</bdi>
    );
  if (isHere) return <b aria-current="page">{content}</b>;
  const search = searchOf({ path, file: null, view: 'files' }, globalThis.location?.search ?? '');
  const over = (event: DragEvent) => isOwnDrag(event) && event.preventDefault();
  return (
    <a
      href={search || '?'}
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go({ path });
      }}
      onDragOver={over}
      onDrop={(event) => dropOn(event, path)}
    >
      {content}
    </a>
  );
}
