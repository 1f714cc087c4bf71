import { $viewer } from '../../browser/current-user.store.ts';

/**
 * Shows the note for visitors who block ads once: when a blocker hides the ad of somebody who is not signed in. Their
 * answer is `notUsingBlockers` in the `cosmetics` cookie; leaving the page is one too.
 */
const place = document.querySelector<HTMLElement>('[data-ad]');
$viewer.subscribe((viewer) => {
  if (!viewer || viewer.user || place?.checkVisibility()) return;
  if (!document.cookie.includes('notUsingBlockers')) void import('./blocked-note.ts');
});
