import { requestFrom } from '../../../platform/browser/api-client.ts';
import { $viewer } from '../../../platform/browser/current-user.store.ts';

/** Fetches the checklist for members of a project that everybody can open. */
const place = document.querySelector<HTMLElement>('[data-member-checklist]')!;
const unbind = $viewer.subscribe(async (viewer) => {
  if (viewer?.project?.permissions == null) return;
  queueMicrotask(() => unbind()); // it may be known before `unbind` is
  const answer = await requestFrom(place.dataset.memberChecklist!);
  if (!answer?.ok) return;
  place.innerHTML = await answer.text();
  place.hidden = false;
});
