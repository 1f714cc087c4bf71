import { call } from '../../api/client.ts';

/**
 * Pages are the same bytes for everyone; who looks is asked afterwards, once a page.
 * Source: design, Seams (People on cached pages).
 */
interface Viewer {
  user: { username: string; avatar_url: string | null } | null;
}

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
  const picture = menu.querySelector<HTMLImageElement>('[data-avatar]')!;
  const letter = menu.querySelector<HTMLElement>('[data-letter]')!;
  if (user.avatar_url) picture.src = user.avatar_url;
  picture.hidden = !user.avatar_url;
  letter.hidden = !!user.avatar_url;
  letter.textContent = [...user.username][0]?.toUpperCase() ?? '';
}

async function look(): Promise<void> {
  if (!account) return;
  const answer = await call<Viewer>('/_internal/viewer', { method: 'POST', json: {} });
  if (answer.ok) show(answer.data); // without an answer the page stays as it is
}
void look();
// a page that the browser brings back as it was left may show somebody who signed in or out since
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void look();
});
