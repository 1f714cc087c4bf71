import { flagsOf, isAllowedFlag, max_flags } from '#db/hosting/servers/startup/rules.ts';
import type { StartupView } from '#db/hosting/servers/startup/view.ts';
import { panelForm } from '../../core/form.ts';
import { panelResource } from '../../core/resource.ts';

/** How the server of the open panel is started, and what its owner has chosen and not saved yet. */

/** What the form holds: text as it was typed. */
export interface Draft {
  java: number | null;
  heap: string;
  flags: string;
}
export const draftOf = ({ java, heap_mb, jvm_flags }: StartupView): Draft => ({
  ...{ java, heap: heap_mb === null ? '' : String(heap_mb), flags: jvm_flags.join(' ') },
});

const read = ({ startup }: { startup: StartupView }): StartupView => startup;

export const startup = panelResource({ event: 'startup.show', read });
export const startupForm = panelForm({
  $data: startup.$data,
  draftOf,
  event: 'startup.change',
  read,
});

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
export const saveStartup = ({ java, heap, flags }: Draft): Promise<boolean> =>
  startupForm.save({ java, heap_mb: heap === '' ? null : Number(heap), jvm_flags: flagsOf(flags) });
