import { atom } from 'nanostores';
import type {
  ChangeView,
  ContentItem,
  PackView,
  ServerContentType,
} from '#db/hosting/servers/content/view.ts';
import { $server } from '../core/panel.store.ts';
import { followPanel, panelResource } from '../core/resource.ts';
import { isEnded, needsRestart } from './change.ts';

/** The content of the open panel's server: all of it after each connection and each change. */

export interface ServerContent {
  items: readonly ContentItem[];
  /** Files beyond those that are listed. */
  more: number;
  /** What a change is based on. */
  revision: string;
  /** Types that the server loads. */
  types: readonly ServerContentType[];
  pack: PackView | null;
}

/** What asks for something before it is done. */
export type ContentDialog =
  | { kind: 'install'; project_id: string; version_id?: string }
  | { kind: 'update'; paths: readonly string[] | null }
  | { kind: 'versions'; path: string }
  | { kind: 'pack'; project_id: string; version_id?: string }
  | { kind: 'pack_versions' }
  | { kind: 'compare' };

/** Newest first. */
export const $changes = atom<readonly ChangeView[]>([]);
export const {
  $data: $content,
  $problem,
  load: loadContent,
} = panelResource({
  event: 'content.list',
  read({ content, more, revision, types, pack, changes }): ServerContent {
    $changes.set(changes);
    return { items: content, more, revision, types, pack };
  },
});
/** Keys of requests under way. */
export const $waiting = atom<readonly string[]>([]);
export const $dialog = atom<ContentDialog | null>(null);
/** The change that this page asked for last: its end is told, and can be taken back. */
export const $ownChange = atom<string | null>(null);
/** Whether a change is done that the running server has not loaded. */
export const $restartDue = atom(false);

function receive(changes: readonly ChangeView[]): void {
  const before = new Map($changes.get().map((one) => [one.id, one]));
  const over = changes.filter((one) => isEnded(one) && !isEndedIn(before, one));
  $changes.set(changes);
  if (over.length === 0) return;
  const isRunning = $server.get()?.state === 'running';
  if (isRunning && over.some((one) => one.step === 'done' && needsRestart(one))) $restartDue.set(true);
  void loadContent();
}
const isEndedIn = (before: ReadonlyMap<string, ChangeView>, { id, step }: ChangeView): boolean =>
  before.get(id)?.step === step;

/** Shows a change as a request answered it, before its event comes. */
export function showChange(change: ChangeView): void {
  const all = $changes.get();
  const isKnown = all.some(({ id }) => id === change.id);
  receive(isKnown ? all.map((one) => (one.id === change.id ? change : one)) : [change, ...all]);
}

/** Follows the content of the open panel; gives a function that ends it. */
export function followContent(): () => void {
  const end = followPanel('changes', ({ changes }) => receive(changes), loadContent);
  let running = $server.get()?.epoch ?? null;
  const started = $server.subscribe((server) => {
    if (!server || server.epoch === running) return;
    running = server.epoch;
    $restartDue.set(false);
  });
  return () => {
    end();
    started();
  };
}
