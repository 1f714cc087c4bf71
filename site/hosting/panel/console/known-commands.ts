import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { useEffect } from 'react';
import type { KnownCommand } from '#control/protocol/console.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { requestFromPanel } from '../core/open-panel.ts';

/** The commands that the server's process knows, asked for once for each start when somebody begins to type. */

const none: readonly KnownCommand[] = [];
const $known = atom<{ epoch: string | null; commands: readonly KnownCommand[] }>({
  epoch: null,
  commands: none,
});
let isAsking = false;

/** Asks for them. Without an answer there is no completion, and no message. */
async function ask(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const answer = await requestFromPanel('server.commands', {});
  isAsking = false;
  if (answer.ok) $known.set(answer.data);
}

/** The commands of the running process of `server`; they are asked for while `isWanted`. */
export function useKnownCommands({ state, epoch }: ServerView, isWanted: boolean): readonly KnownCommand[] {
  const known = useStore($known);
  const isCurrent = known.epoch === epoch;
  useEffect(() => {
    if (isWanted && state === 'running' && epoch !== null && !isCurrent) void ask();
  }, [isWanted, state, epoch, isCurrent]);
  return isCurrent ? known.commands : none;
}
