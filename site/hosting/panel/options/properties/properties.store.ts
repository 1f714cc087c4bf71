import { atom } from 'nanostores';
import { type PropertyProblem, whyNotProperty } from '#db/hosting/servers/properties/rules.ts';
import type { PropertyView } from '#db/hosting/servers/properties/view.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { requestFromPanel } from '../../core/open-panel.ts';

/** The properties of the open panel, and what their owner has typed and not saved yet. */

interface Loaded {
  properties: readonly PropertyView[];
  etag: string;
}
export const $loaded = atom<Loaded | null>(null);
/** Why they could not be loaded. */
export const $problem = atom<ApiError | null>(null);
/** Values that differ from the file, by key. */
export const $drafts = atom<Readonly<Record<string, string>>>({});
/** Why they could not be saved. */
export const $refused = atom<ApiError | null>(null);
export const $saving = atom(false);

/** Loads the file; what was typed stays. */
export async function loadProperties(): Promise<void> {
  const result = await requestFromPanel('properties.show', {});
  if (!result.ok) {
    // the panel says that the connection is lost, and they are loaded again with the next one
    $problem.set(result.error.status === 0 ? null : result.error);
    return;
  }
  $problem.set(null);
  $refused.set(null);
  $loaded.set(result.data);
  for (const { key, value } of result.data.properties) if ($drafts.get()[key] === value) undoDraft(key);
}

/** Types a value; one that the file has already is no change. */
export function setDraft({ key, value, default: usual }: PropertyView, typed: string): void {
  if (typed === (value ?? usual ?? '')) undoDraft(key);
  else $drafts.set({ ...$drafts.get(), [key]: typed });
}

/** Takes back what was typed for a key. */
export function undoDraft(key: string): void {
  const { [key]: _, ...rest } = $drafts.get();
  $drafts.set(rest);
}

/** What is wrong with a value that was typed, or with the one in the file. */
export const problemOf = (
  { key, problem }: PropertyView,
  drafts: Readonly<Record<string, string>>,
): PropertyProblem | null => (key in drafts ? whyNotProperty(key, drafts[key]!) : problem);

/** Writes what was typed. Gives whether it was saved. */
export async function saveProperties(): Promise<boolean> {
  const loaded = $loaded.get();
  const values = $drafts.get();
  if (!loaded || $saving.get()) return false;
  $saving.set(true);
  $refused.set(null);
  const { ok } = await mutate({
    send: () => requestFromPanel('properties.change', { etag: loaded.etag, values: { ...values } }),
    refresh: (changed) => {
      $loaded.set(changed);
      $drafts.set({});
    },
    refused: (error) => {
      $refused.set(error);
      return true;
    },
  });
  $saving.set(false);
  return ok;
}

/** The keys that match a search, by key or by what they do. */
export function matching(
  properties: readonly PropertyView[],
  query: string,
  about: (key: string) => string,
): PropertyView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return properties.filter(({ key }) => {
    const text = `${key} ${key.replaceAll('-', ' ')} ${about(key)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
