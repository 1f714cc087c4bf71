import { atom, computed, map } from 'nanostores';
import type { PlayerList } from '#db/hosting/servers/players/lists.ts';
import type { PlayersChange } from '#db/hosting/servers/players/rules.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { $samples } from '../core/panel.store.ts';
import { panelResource } from '../core/resource.ts';

/** The players of the open panel: who is online, and the lists of who may play. */

/** What is searched for in the lists. */
export const $query = atom('');
/** A change that was sent and not answered yet: one at a time. */
export const $changing = atom<Wanted | null>(null);
/** What the game said about the last change, for those who hear the page. */
export const $answer = atom<string | null>(null);

/** What is typed to put on a list and not added yet. It outlives its form, which goes while a list cannot be read. */
export interface Draft {
  who: string;
  reason: string;
  level: number | null;
}
export const $drafts = map<Partial<Record<PlayerList, Draft>>>({});
const empty: Draft = { who: '', reason: '', level: null };

/** What is typed for a list. */
export const draftOf = (drafts: Partial<Record<PlayerList, Draft>>, list: PlayerList): Draft =>
  drafts[list] ?? empty;

/** Keeps what is typed for a list. */
export const editDraft = (list: PlayerList, changes: Partial<Draft>): void =>
  $drafts.setKey(list, { ...draftOf($drafts.get(), list), ...changes });

/** Who is online as the node counted last, null while it is not known. */
export const $online = computed($samples, (samples) => samples.at(-1)?.players ?? null);

type Wanted = Pick<PlayersChange, 'action' | 'who'> & Partial<PlayersChange>;

/** The lists, as far as they match what is searched for. */
export const {
  $data: $players,
  $problem,
  load: loadPlayers,
} = panelResource({
  event: 'players.show',
  message: () => ({ query: $query.get() }),
  read: ({ players }) => players,
});

/** Changes something. Gives whether it was done; `refused` shows a refusal in place, else a toast does. */
export async function changePlayers(
  wanted: Wanted,
  refused?: (error: ApiError) => boolean,
): Promise<boolean> {
  if ($changing.get()) return false;
  $changing.set(wanted);
  const query = $query.get();
  const { ok } = await mutate({
    send: () => requestFromPanel('players.change', { ...wanted, query }),
    refresh({ players, answer }) {
      $answer.set(answer);
      // lists of another search than the one that is typed by now
      if (query === $query.get()) $players.set(players);
      else void loadPlayers();
    },
    refused,
  });
  $changing.set(null);
  return ok;
}
