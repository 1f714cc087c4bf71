import download from 'lucide-static/icons/download.svg?raw';
import copyTo from 'lucide-static/icons/files.svg?raw';
import move from 'lucide-static/icons/folder-input.svg?raw';
import openIcon from 'lucide-static/icons/folder-open.svg?raw';
import unpackIcon from 'lucide-static/icons/package-open.svg?raw';
import renameIcon from 'lucide-static/icons/pencil.svg?raw';
import analyse from 'lucide-static/icons/stethoscope.svg?raw';
import trash from 'lucide-static/icons/trash-2.svg?raw';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { FileEntry } from '#control/protocol/files.ts';
import { isLogPath } from '#db/hosting/servers/logs/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../platform/ui/Icon.tsx';
import * as actions from './actions.ts';
import { kindOf, opens } from './file-kind.ts';
import { $dialog, $menu, $renaming, $selection, targetPaths, targets } from './files.store.ts';
import { open } from './open.ts';
import { useWhyNot } from './why-not.ts';

const gap_px = 8;

interface Item {
  key: `server_files.${'open' | 'rename' | 'download' | 'move' | 'copy' | 'unpack' | 'delete' | 'analyse'}`;
  svg: string;
  act(): void;
}

/** What can be done with these entries. */
function itemsFor(entries: readonly FileEntry[]): Item[] {
  const paths = targetPaths();
  const [one] = entries;
  if (!one) return [];
  const isOne = entries.length === 1;
  const isPlain = entries.every(({ type }) => type === 'file' || type === 'directory');
  const all: (Item | false)[] = [
    isOne &&
      opens(one) !== null &&
      opens(one) !== 'unpack' && { key: 'server_files.open', svg: openIcon, act: () => open(one) },
    isOne &&
      kindOf(one) === 'archive' && {
        ...{ key: 'server_files.unpack', svg: unpackIcon },
        act: () => $dialog.set({ kind: 'unpack', path: paths[0]! }),
      },
    isOne &&
      one.type === 'file' &&
      isLogPath(one.name) && {
        ...{ key: 'server_files.analyse', svg: analyse },
        act: () => $dialog.set({ kind: 'log', path: paths[0]! }),
      },
    isPlain && {
      ...{ key: 'server_files.download', svg: download },
      act: () => void actions.download(paths, one.type === 'directory'),
    },
    isOne && isPlain && { key: 'server_files.rename', svg: renameIcon, act: () => $renaming.set(one.name) },
    isPlain && {
      key: 'server_files.move',
      svg: move,
      act: () => $dialog.set({ kind: 'move', paths, copy: false }),
    },
    isPlain && {
      key: 'server_files.copy',
      svg: copyTo,
      act: () => $dialog.set({ kind: 'move', paths, copy: true }),
    },
    { key: 'server_files.delete', svg: trash, act: () => void actions.remove(paths) },
  ];
  return all.filter((item) => item !== false);
}

/** The menu of the selected rows, at the pointer or below the button that opened it. */
export function FileMenu({ at }: { at: { x: number; y: number } }) {
  const { t } = useMessages();
  const whyNot = useWhyNot();
  const menu = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const box = menu.current!.getBoundingClientRect();
    // from a button it goes to the start, as far as there is room
    const isRtl = document.documentElement.dir === 'rtl';
    const left = isRtl || at.x + box.width > innerWidth - gap_px ? at.x - box.width : at.x;
    const top = at.y + box.height > innerHeight - gap_px ? at.y - box.height : at.y;
    menu.current!.style.left = `${Math.max(gap_px, left)}px`;
    menu.current!.style.top = `${Math.max(gap_px, top)}px`;
    menu.current!.querySelector('button')?.focus();
  }, [at]);
  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) close(false);
    };
    addEventListener('pointerdown', outside);
    addEventListener('scroll', outside, { capture: true, passive: true });
    addEventListener('resize', outside);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('scroll', outside, { capture: true });
      removeEventListener('resize', outside);
    };
  }, []);
  return (
    <ul
      ref={menu}
      className="menu file-menu"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list is the menu
      role="menu"
      aria-label={t('server_files.actions')}
      onKeyDown={onKey}
    >
      {itemsFor(targets()).map(({ key, svg, act }) => (
        <li key={key} role="none">
          <button
            type="button"
            role="menuitem"
            className={key === 'server_files.delete' ? 'bad' : undefined}
            aria-disabled={whyNot !== null}
            data-tip={whyNot ?? undefined}
            onClick={() => {
              if (whyNot !== null) return;
              close(true);
              act();
            }}
          >
            <Drawing svg={svg} />
            {t(key)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Closes the menu; the keyboard goes back to its row. */
function close(returns: boolean): void {
  $menu.set(null);
  if (!returns) return;
  const rows = document.querySelectorAll<HTMLElement>('.file-list tbody tr');
  const row = [...rows].find((one) => one.tabIndex === 0);
  if ($selection.get().focus !== null) row?.focus();
}

function onKey(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = {
    ...{ ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 },
  }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close(true);
  else if (to === undefined) return;
  else buttons[to % buttons.length]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
