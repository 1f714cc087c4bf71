import { atom } from 'nanostores';
import {
  isSleepMinutes,
  motdOf,
  type Sleep,
  sleep_minutes,
  whyNotMotd,
} from '#db/hosting/servers/sleep/rules.ts';
import type { SleepView } from '#db/hosting/servers/sleep/view.ts';
import type { ApiError } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { requestFromPanel } from '../../core/open-panel.ts';

/** When the server of the open panel sleeps, and what its owner has chosen and not saved yet. */

/** What the form holds: text as it was typed. */
export interface SleepDraft {
  isOn: boolean;
  minutes: string;
  motd: string;
}
export const $sleep = atom<SleepView | null>(null);
/** Why it could not be loaded. */
export const $sleepProblem = atom<ApiError | null>(null);
export const $sleepDraft = atom<SleepDraft | null>(null);
/** Why it could not be saved. */
export const $sleepRefused = atom<ApiError | null>(null);
export const $sleepSaving = atom(false);
export const $sleepSaved = atom(false);

const sleepDraftOf = ({ after_minutes, motd }: SleepView): SleepDraft => ({
  isOn: after_minutes !== null,
  minutes: String(after_minutes ?? sleep_minutes.usual),
  motd,
});

export async function loadSleep(): Promise<void> {
  const result = await requestFromPanel('sleep.show', {});
  if (!result.ok) {
    $sleepProblem.set(result.error.status === 0 ? null : result.error);
    return;
  }
  $sleepProblem.set(null);
  $sleep.set(result.data.sleep);
  // what was typed before the connection was lost stays
  if (!$sleepDraft.get()) $sleepDraft.set(sleepDraftOf(result.data.sleep));
}

/** What is wrong with what was typed. */
export const wrongSleep = ({ isOn, minutes, motd }: SleepDraft) => ({
  minutes: isOn && !(/^\d{1,4}$/.test(minutes) && isSleepMinutes(Number(minutes))),
  motd: isOn ? whyNotMotd(motdOf(motd)) : null,
});

/** What is stored when the form is saved; the text stays when it is switched off. */
export const sleepOf = ({ isOn, minutes, motd }: SleepDraft, stored: SleepView): Sleep =>
  isOn ? { after_minutes: Number(minutes), motd: motdOf(motd) } : { after_minutes: null, motd: stored.motd };

/** Saves a form. */
export async function saveSleep(sleep: Sleep): Promise<void> {
  if ($sleepSaving.get()) return;
  $sleepSaving.set(true);
  $sleepRefused.set(null);
  $sleepSaved.set(false);
  await mutate({
    send: () => requestFromPanel('sleep.change', sleep),
    repeatable: true,
    refresh: ({ sleep: stored }) => {
      $sleep.set(stored);
      $sleepDraft.set(sleepDraftOf(stored));
      $sleepSaved.set(true);
    },
    refused: (error) => {
      $sleepRefused.set(error);
      return true;
    },
  });
  $sleepSaving.set(false);
}
