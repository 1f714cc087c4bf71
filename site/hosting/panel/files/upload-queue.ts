/**
 * The queue of uploads: what each file waits for, and what may follow. Pure, and not `ConcurrencyLimiter`: it is a list that
 * people see, pause and decide about.
 */

export const uploadStates = [
  // something with its name is there: somebody has to choose
  'conflict',
  'queued',
  'sending',
  // the connection is lost; it goes on by itself
  'waiting',
  'paused',
  // sent, and being moved to its place
  'placing',
  'done',
  'skipped',
  'failed',
] as const;
export type UploadState = (typeof uploadStates)[number];

/** A cancelled upload leaves the list, so there is no state for it. */
const moves: Record<UploadState, readonly UploadState[]> = {
  conflict: ['queued', 'skipped'],
  queued: ['sending', 'paused', 'conflict', 'failed'],
  sending: ['waiting', 'paused', 'placing', 'conflict', 'failed'],
  waiting: ['sending', 'paused', 'placing', 'failed'],
  paused: ['queued'],
  placing: ['waiting', 'done', 'skipped', 'conflict', 'failed'],
  done: [],
  skipped: [],
  failed: ['queued'],
};
export const canBecome = (from: UploadState, to: UploadState): boolean =>
  from === to || moves[from].includes(to);

export type UploadChoice = 'replace' | 'skip' | 'rename';

export interface UploadItem {
  key: string;
  /** Where it is to lie. */
  path: string;
  bytes: number;
  state: UploadState;
  sent: number;
  /** What becomes of a file that is there; null until somebody chose. */
  choice: UploadChoice | null;
  /** The file that is there, for a choice. */
  existing: { bytes: number; modified: number } | null;
  /** Milliseconds since 1970: when the file on the user's disk was changed. */
  modified: number;
  /** Why it failed. */
  problem: string;
}
export type UploadQueue = readonly UploadItem[];

/** The queue with changes to one item; a state that cannot follow is ignored, as of an answer that came too late. */
export function changed(queue: UploadQueue, key: string, change: Partial<UploadItem>): UploadQueue {
  return queue.map((item) => {
    if (item.key !== key) return item;
    if (change.state && !canBecome(item.state, change.state)) return item;
    return { ...item, ...change };
  });
}

/** After a choice for one file that is there already, or for all that wait for one. */
export function chosen(queue: UploadQueue, key: string, choice: UploadChoice, forAll: boolean): UploadQueue {
  const state = choice === 'skip' ? 'skipped' : 'queued';
  return queue.map((item) =>
    item.state === 'conflict' && (forAll || item.key === key) ? { ...item, choice, state } : item,
  );
}

const running: readonly UploadState[] = ['sending', 'waiting', 'placing'];

/** Which ones begin now, in their order, so that at most `at_once` run. */
export function nextToStart(queue: UploadQueue, at_once: number): string[] {
  const busy = queue.filter(({ state }) => running.includes(state)).length;
  return queue
    .filter(({ state }) => state === 'queued')
    .slice(0, Math.max(0, at_once - busy))
    .map(({ key }) => key);
}

/** Whether leaving the page would lose something. */
export const isBusy = (queue: UploadQueue): boolean =>
  queue.some(({ state }) => running.includes(state) || ['conflict', 'queued', 'paused'].includes(state));

interface UploadTotals {
  files: number;
  /** Ended well: done or skipped. */
  ended: number;
  failed: number;
  conflicts: number;
  paused: number;
  sent: number;
  bytes: number;
}
export function totalsOf(queue: UploadQueue): UploadTotals {
  const in_state = (...states: UploadState[]) => queue.filter(({ state }) => states.includes(state)).length;
  return {
    files: queue.length,
    ended: in_state('done', 'skipped'),
    failed: in_state('failed'),
    conflicts: in_state('conflict'),
    paused: in_state('paused'),
    sent: queue.reduce((sum, { state, sent, bytes }) => sum + (state === 'done' ? bytes : sent), 0),
    bytes: queue.reduce((sum, { state, bytes }) => sum + (state === 'skipped' ? 0 : bytes), 0),
  };
}

const rank: Record<UploadState, number> = {
  ...{
    conflict: 0,
    failed: 1,
    sending: 2,
    placing: 2,
    waiting: 2,
    paused: 3,
    queued: 4,
    skipped: 5,
    done: 5,
  },
};
/** Those that are shown first: what needs a choice, what failed, what runs; at most `most` of them. */
export const shownFirst = (queue: UploadQueue, most: number): UploadItem[] =>
  queue.toSorted((a, b) => rank[a.state] - rank[b.state]).slice(0, most);
