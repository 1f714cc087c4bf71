import { useStore } from '@nanostores/react';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { refusalFor, whyNotAllowed, whyNotNow } from '../core/access.ts';
import { $access, $connection } from '../core/panel.store.ts';

/** Why nothing can be done with the files now, in words: no connection, or the right to them was taken away; else null. */
export function useWhyNot(): string | null {
  const labels = useMessages();
  const isOpen = useStore($connection) === 'open';
  useStore($access);
  return whyNotNow(labels, isOpen, whyNotHave.files);
}

/** The same without the connection: of what waits for one by itself, and of what is asked in a dialog. */
export function useWhyNotAllowed(): string | null {
  const labels = useMessages();
  useStore($access);
  return whyNotAllowed(labels, whyNotHave.files);
}

/** Whether the user still has the right to the files: for what is done by a key or by dragging, and shows no reason. */
export function isAllowed(): boolean {
  const access = $access.get();
  return access === null || refusalFor(access, whyNotHave.files) === null;
}
