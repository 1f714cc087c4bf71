import { call } from '../../api/client.ts';
import { $viewer, type Viewer } from '../viewer.store.ts';

/**
 * Pages are the same bytes for everyone; who looks is asked afterwards, once a page.
 * Source: design, Seams (People on cached pages).
 */
const account = document.querySelector<HTMLElement>('[data-account]');

function show({ user }: Viewer): void {
  if (!account) return;
  account.querySelector<HTMLElement>('[data-signed-out]')!.hidden = user !== null;
  account.querySelector<HTMLElement>('[data-signed-in]')!.hidden = user === null;
  if (!user) return;
  const menu = account.querySelector<HTMLDetailsElement>('[data-signed-in]')!;
  const button = menu.querySelector<HTMLElement>('[data-label]')!;
  button.setAttribute('aria-label', (button.dataset.label ?? '').replace('{username}', user.username));
  menu.querySelector('[data-username]')!.textContent = user.username;
  const profile = menu.querySelector<HTMLAnchorElement>('[data-profile]')!;
  profile.href = (profile.dataset.profile ?? '').replace('{username}', encodeURIComponent(user.username));
  const picture = menu.querySelector<HTMLImageElement>('[data-avatar]')!;
  const letter = menu.querySelector<HTMLElement>('[data-letter]')!;
  if (user.avatar_url) picture.src = user.avatar_url;
  picture.hidden = !user.avatar_url;
  letter.hidden = !!user.avatar_url;
  letter.textContent = [...user.username][0]?.toUpperCase() ?? '';
}

/** The projects of the page that can be followed. */
const shown = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-follow]')].map(({ dataset }) => dataset.follow!);

async function look(): Promise<void> {
  if (!account) return;
  const answer = await call<Viewer>('/_internal/viewer', { method: 'POST', json: { projects: shown() } });
  if (!answer.ok) return; // the page stays as it is
  $viewer.set(answer.data);
  show(answer.data);
}
void look();
// a page that the browser brings back as it was left may show somebody who signed in or out since
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void look();
});
