import { useStore } from '@nanostores/react';
import { whyNotHave } from '#db/servers/rules.ts';
import { useMessages } from '../../../text/MessagesContext.tsx';
import { whyNotAllowed, whyNotNow } from '../access.ts';
import { $access, $connection } from '../panel.store.ts';

/** Why nothing can be done with the files now, in words: no connection, or the right to them was taken away; else null. */
export function useWhyNot(): string | null {
  const labels = useMessages();
  const isOpen = useStore($connection) === 'open';
  useStore($access);
  return whyNotNow(labels, isOpen, whyNotHave.files);
}

/** The same of uploads: they wait for a connection by themselves. */
export function useWhyNotUpload(): string | null {
  const labels = useMessages();
  useStore($access);
  return whyNotAllowed(labels, whyNotHave.files);
}
