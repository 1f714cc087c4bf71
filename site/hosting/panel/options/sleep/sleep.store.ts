import {
  isSleepMinutes,
  motdOf,
  type Sleep,
  sleep_minutes,
  whyNotMotd,
} from '#db/hosting/servers/sleep/rules.ts';
import type { SleepView } from '#db/hosting/servers/sleep/view.ts';
import { panelForm } from '../../core/form.ts';
import { panelResource } from '../../core/resource.ts';

/** When the server of the open panel sleeps, and what its owner has chosen and not saved yet. */

/** What the form holds: text as it was typed. */
export interface SleepDraft {
  isOn: boolean;
  minutes: string;
  motd: string;
}
const sleepDraftOf = ({ after_minutes, motd }: SleepView): SleepDraft => ({
  isOn: after_minutes !== null,
  minutes: String(after_minutes ?? sleep_minutes.usual),
  motd,
});

const read = ({ sleep }: { sleep: SleepView }): SleepView => sleep;

export const sleep = panelResource({ event: 'sleep.show', read });
export const sleepForm = panelForm({
  $data: sleep.$data,
  draftOf: sleepDraftOf,
  event: 'sleep.change',
  read,
});

/** What is wrong with what was typed. */
export const wrongSleep = ({ isOn, minutes, motd }: SleepDraft) => ({
  minutes: isOn && !(/^\d{1,4}$/.test(minutes) && isSleepMinutes(Number(minutes))),
  motd: isOn ? whyNotMotd(motdOf(motd)) : null,
});

/** What is stored when the form is saved; the text stays when it is switched off. */
export const sleepOf = ({ isOn, minutes, motd }: SleepDraft, stored: SleepView): Sleep =>
  isOn ? { after_minutes: Number(minutes), motd: motdOf(motd) } : { after_minutes: null, motd: stored.motd };
