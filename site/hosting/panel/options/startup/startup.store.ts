import { atom } from 'nanostores';
import { flagsOf, isAllowedFlag, max_flags } from '#db/hosting/servers/startup/rules.ts';
import type { StartupView } from '#db/hosting/servers/startup/view.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { requestFromPanel } from '../../core/open-panel.ts';

/** How the server of the open panel is started, and what its owner has chosen and not saved yet. */

/** What the form holds: text as it was typed. */
export interface Draft {
  java: number | null;
  heap: string;
  flags: string;
}
export const $startup = atom<StartupView | null>(null);
/** Why it could not be loaded. */
export const $problem = atom<ApiError | null>(null);
export const $draft = atom<Draft | null>(null);
/** Why it could not be saved. */
export const $refused = atom<ApiError | null>(null);
export const $saving = atom(false);
export const $saved = atom(false);

export const draftOf = ({ java, heap_mb, jvm_flags }: StartupView): Draft => ({
  ...{ java, heap: heap_mb === null ? '' : String(heap_mb), flags: jvm_flags.join(' ') },
});

export async function loadStartup(): Promise<void> {
  const result = await requestFromPanel('startup.show', {});
  if (!result.ok) {
    $problem.set(result.error.status === 0 ? null : result.error);
    return;
  }
  $problem.set(null);
  $startup.set(result.data.startup);
  // what was typed before the connection was lost stays
  if (!$draft.get()) $draft.set(draftOf(result.data.startup));
}

/** What is wrong with what was typed. */
export type Wrong = { field: 'heap' } | { field: 'flags'; flag: string | null };
export function wrongIn({ heap, flags }: Draft, { heap_least_mb, heap_most_mb }: StartupView): Wrong | null {
  const mb = Number(heap);
  const isHeap = heap === '' || (/^\d{1,7}$/.test(heap) && mb >= heap_least_mb && mb <= heap_most_mb);
  if (!isHeap) return { field: 'heap' };
  const all = flagsOf(flags);
  if (all.length > max_flags) return { field: 'flags', flag: null };
  const refused = all.find((flag) => !isAllowedFlag(flag));
  return refused === undefined ? null : { field: 'flags', flag: refused };
}

/** Saves a form. */
export async function saveStartup({ java, heap, flags }: Draft): Promise<void> {
  if ($saving.get()) return;
  $saving.set(true);
  $refused.set(null);
  $saved.set(false);
  await mutate({
    send: () =>
      requestFromPanel('startup.change', {
        java,
        heap_mb: heap === '' ? null : Number(heap),
        jvm_flags: flagsOf(flags),
      }),
    repeatable: true,
    refresh: ({ startup }) => {
      $startup.set(startup);
      $draft.set(draftOf(startup));
      $saved.set(true);
    },
    refused: (error) => {
      $refused.set(error);
      return true;
    },
  });
  $saving.set(false);
}
