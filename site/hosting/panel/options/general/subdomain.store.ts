import { atom } from 'nanostores';
import { normalSubdomain, whyNotSubdomain } from '#db/hosting/servers/names/rules.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { panelResource } from '../../core/resource.ts';

/** The name of the server of the open panel below the domain of the site. */
export const {
  $data: $subdomain,
  $problem,
  load: loadSubdomain,
} = panelResource({ event: 'subdomain.show', read: (subdomain) => subdomain });
/** What was typed; null is what is stored. */
export const $draft = atom<string | null>(null);
/** Whether what was typed can be had: `asking` until the answer comes, else the code of a refusal, or null. */
export const $answer = atom<{ name: string; why: string | null } | 'asking' | null>(null);
export const $saving = atom(false);
/** Why it could not be stored. */
export const $refused = atom<string | null>(null);

/** A name is asked about when nobody typed for so long. */
const pause_ms = 300;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What is in the field by now: the rule answers at once, whether it is free a moment later. */
export function typeSubdomain(text: string): void {
  clearTimeout(timer);
  $draft.set(text);
  $refused.set(null);
  const name = normalSubdomain(text);
  const why = whyNotSubdomain(name);
  if (name === '' || name === $subdomain.get()?.subdomain) $answer.set(null);
  else if (why) $answer.set({ name, why });
  else {
    $answer.set('asking');
    timer = setTimeout(() => void ask(name), pause_ms);
  }
}

async function ask(name: string): Promise<void> {
  const result = await requestFromPanel('subdomain.check', { name });
  if (normalSubdomain($draft.get() ?? '') !== name) return; // there is a newer question
  // without an answer the attempt to store it says why
  $answer.set({ name, why: result.ok ? result.data.why : null });
}

/** Stores a name; null takes it away. */
export async function saveSubdomain(name: string | null): Promise<void> {
  if ($saving.get()) return;
  $saving.set(true);
  $refused.set(null);
  await mutate({
    send: () => requestFromPanel('subdomain.change', { name }),
    repeatable: true,
    refresh(view) {
      $subdomain.set(view);
      $draft.set(null);
      $answer.set(null);
    },
    refused({ status, description }) {
      if (status === 0) return false;
      $refused.set(description);
      return true;
    },
  });
  $saving.set(false);
}
