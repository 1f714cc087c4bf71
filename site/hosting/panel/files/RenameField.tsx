import { useEffect, useRef } from 'react';
import { readableName } from '#db/platform/files/raw-names/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { $renaming } from './files.store.ts';
import { isAllowed } from './why-not.ts';

/** The name of a row while it is changed: Enter and leaving it rename, Escape does not. */
export function RenameField({ name, isFolder }: { name: string; isFolder: boolean }) {
  const { t } = useMessages();
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
    // the ending stays unless somebody means it
    const end = isFolder ? -1 : name.lastIndexOf('.');
    field.current?.setSelectionRange(0, end > 0 ? end : name.length);
  }, [name, isFolder]);
  // blanks at its ends stay when nothing was typed
  const typed = (value: string) => (value === name ? null : value.trim());
  const finish = async (to: string | null, byKey: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (byKey) field.current?.closest('tr')?.focus();
    $renaming.set(null);
    if (to !== null && isAllowed()) await (await import('./actions.ts')).rename(name, to);
  };
  return (
    <input
      ref={field}
      className="in renaming"
      dir="auto"
      defaultValue={name}
      maxLength={255}
      autoComplete="off"
      spellCheck={false}
      aria-label={t('server_files.new_name', { name: readableName(name) })}
      onBlur={({ target }) => void finish(typed(target.value), false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') void finish(typed(event.currentTarget.value), true);
        if (event.key === 'Escape') void finish(null, true);
      }}
    />
  );
}
