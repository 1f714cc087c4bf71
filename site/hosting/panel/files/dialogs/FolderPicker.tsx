import right from 'lucide-static/icons/chevron-right.svg?raw';
import house from 'lucide-static/icons/house.svg?raw';
import { useEffect, useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../../platform/ui/Icon.tsx';
import { requestFromPanel } from '../../core/open-panel.ts';
import { FileIcon } from '../FileIcon.tsx';
import { crumbsOf, joinPath } from '../paths.ts';

const max_folders = 500;

/** Chooses a folder: the one that is open in it. */
export function FolderPicker({ path, choose }: { path: string; choose(path: string): void }) {
  const { t } = useMessages();
  const { names, problem, isCut } = useFolders(path);
  const crumbs = [{ name: t('server_files.top'), path: '' }, ...crumbsOf(path)];
  return (
    <div className="folder-picker">
      <ol className="crumbs" aria-label={t('server_files.where')}>
        {crumbs.map((crumb, i) => (
          <li key={crumb.path}>
            {i > 0 && <Drawing svg={right} turns />}
            <button
              type="button"
              aria-current={i === crumbs.length - 1 ? 'location' : undefined}
              onClick={() => choose(crumb.path)}
            >
              {i === 0 && <Drawing svg={house} />}
              <bdi>{crumb.name}</bdi>
            </button>
          </li>
        ))}
      </ol>
      <ul aria-label={t('server_files.folders_in', { name: crumbs.at(-1)!.name })}>
        {names.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => choose(joinPath(path, name))}>
              <FileIcon kind="directory" />
              <bdi className="clip">{name}</bdi>
              <Drawing svg={right} turns />
            </button>
          </li>
        ))}
      </ul>
      <p className="meta" role="status">
        {problem ??
          (names.length === 0 ? t('server_files.no_folders') : isCut ? t('server_files.more_folders') : '')}
      </p>
    </div>
  );
}

function useFolders(path: string): { names: string[]; problem: string | null; isCut: boolean } {
  const [state, setState] = useState<{ names: string[]; problem: string | null; isCut: boolean }>({
    ...{ names: [], problem: '', isCut: false },
  });
  useEffect(() => {
    let isCurrent = true;
    const message = {
      path,
      show: 'directories',
      sort: 'name',
      descending: false,
      from: 0,
      limit: max_folders,
    } as const;
    void requestFromPanel('files.list', message).then((answer) => {
      if (!isCurrent) return;
      if (!answer.ok) return setState({ names: [], problem: answer.error.description, isCut: false });
      const { entries, total } = answer.data;
      setState({ names: entries.map(({ name }) => name), problem: null, isCut: total > entries.length });
    });
    return () => {
      isCurrent = false;
    };
  }, [path]);
  return state;
}
