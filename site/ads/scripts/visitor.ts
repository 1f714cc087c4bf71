import { apiFetch } from '../../browser/api-client.ts';
import { $viewer } from '../../browser/current-user.store.ts';

/**
 * For a visitor who is not signed in: counts the ad if it can be seen, else shows the note about blockers. Its answer is
 * `notUsingBlockers` in the `cosmetics` cookie; leaving the page is one too.
 */
const place = document.querySelector<HTMLElement>('[data-ad]');
let done = false;
$viewer.subscribe((viewer) => {
  if (!place || !viewer || viewer.user || done) return;
  done = true;
  if (place.checkVisibility()) void apiFetch('POST /_internal/viewer', { json: { ad: place.dataset.ad } });
  else if (!document.cookie.includes('notUsingBlockers')) void import('./blocked-note.ts');
});
