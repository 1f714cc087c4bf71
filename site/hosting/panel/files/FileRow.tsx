import more from 'lucide-static/icons/ellipsis-vertical.svg?raw';
import { type MouseEvent, memo } from 'react';
import type { FileEntry } from '#control/protocol/files.ts';
import { readableName } from '#db/platform/files/raw-names/rules.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../platform/ui/Icon.tsx';
import { searchOf } from './address.ts';
import { beginDrag, dropOn, isOwnDrag } from './drag.ts';
import { FileIcon } from './FileIcon.tsx';
import { kindOf, opens } from './file-kind.ts';
import { $menu, $selection, listedNames } from './files.store.ts';
import { exactText, whenText } from './format.ts';
import { open } from './open.ts';
import { joinPath } from './paths.ts';
import { RenameField } from './RenameField.tsx';
import { pressed, toggled } from './selection.ts';

interface Props {
  entry: FileEntry;
  /** The folder it lies in. */
  path: string;
  /** Its number among all rows, from 1; the first is the header. */
  row: number;
  isChosen: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  isRenaming: boolean;
}

/** One file or folder. */
export const FileRow = memo(function FileRow({ entry, path, row, isChosen, isStop, isRenaming }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const { name, type, bytes, modified } = entry;
  const isFolder = type === 'directory';
  const tabIndex = isStop ? 0 : -1;
  return (
    <tr
      className={isChosen ? 'sel' : undefined}
      aria-selected={isChosen}
      aria-rowindex={row}
      tabIndex={tabIndex}
      draggable={!isRenaming}
      onClick={(event) => press(event, name)}
      onDoubleClick={(event) => !isControl(event) && open(entry)}
      onContextMenu={(event) => openMenu(event, name)}
      onFocus={() => $selection.get().focus !== name && $selection.set({ ...$selection.get(), focus: name })}
      onDragStart={(event) => beginDrag(event, name)}
      {...(isFolder && {
        onDragOver: (event) => isOwnDrag(event) && event.preventDefault(),
        onDrop: (event) => dropOn(event, joinPath(path, name)),
      })}
    >
      <td>
        <label className="check">
          <input
            type="checkbox"
            tabIndex={tabIndex}
            aria-label={t('server_files.select', { name: readableName(name) })}
            checked={isChosen}
            onChange={() => $selection.set(toggled($selection.get(), name))}
          />
        </label>
      </td>
      <td>
        <span className="file-name">
          <FileIcon kind={kindOf(entry)} />
          {isRenaming ? (
            <RenameField name={name} isFolder={isFolder} />
          ) : (
            <Name entry={entry} path={path} tabIndex={tabIndex} />
          )}
          {type === 'link' && <span className="badge">{t('server_files.not_followed')}</span>}
        </span>
      </td>
      <td className="num">{type === 'file' ? sizeText(labels, bytes) : ''}</td>
      <td className="dim drop">
        <time dateTime={isoOf(modified)} data-tip={exactText(labels, modified)}>
          {whenText(labels, modified, new Date())}
        </time>
      </td>
      <td className="num">
        <button
          className="btn quiet s icon"
          type="button"
          tabIndex={tabIndex}
          aria-haspopup="menu"
          aria-label={t('server_files.more_of', { name: readableName(name) })}
          onClick={(event) => openMenu(event, name)}
        >
          <Drawing svg={more} />
        </button>
      </td>
    </tr>
  );
});

function Name({ entry, path, tabIndex }: Pick<Props, 'entry' | 'path'> & { tabIndex: number }) {
  const { name, type } = entry;
  if (opens(entry) === null || type === 'link')
    return (
      <span className="clip" dir="auto">
        <bdi>{readableName(name)}</bdi>
      </span>
    );
  const isFolder = type === 'directory';
  const place = isFolder ? { path: joinPath(path, name), file: null } : { path, file: name };
  return (
    <a
      className="clip"
      dir="auto"
      href={searchOf({ ...place, view: 'files' }, location.search)}
      tabIndex={tabIndex}
      draggable={false}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return void event.preventDefault();
        event.preventDefault();
        event.stopPropagation();
        open(entry);
      }}
    >
      <bdi>{readableName(name)}</bdi>
    </a>
  );
}

const isoOf = (at: number): string | undefined =>
  Number.isNaN(new Date(at).getTime()) ? undefined : new Date(at).toISOString();

const isControl = ({ target }: MouseEvent): boolean =>
  (target as Element).closest('button, label, input, form') !== null;

function press(event: MouseEvent, name: string): void {
  if (isControl(event)) return;
  const keys = { toggle: event.ctrlKey || event.metaKey, range: event.shiftKey };
  $selection.set(pressed($selection.get(), listedNames(), name, keys));
}

/** Opens the menu for the row, or for everything that is selected when the row is. */
function openMenu(event: MouseEvent<HTMLElement>, name: string): void {
  event.preventDefault();
  event.stopPropagation();
  if (!$selection.get().chosen.has(name))
    $selection.set({ chosen: new Set([name]), anchor: name, focus: name });
  const box = event.currentTarget.getBoundingClientRect();
  $menu.set(
    event.type === 'click' ? { x: box.right, y: box.bottom } : { x: event.clientX, y: event.clientY },
  );
}
