import { apiFetch } from '../../browser/api-client.ts';
import { $viewer, type CurrentUser, lastUser, rememberUser } from '../../browser/current-user.store.ts';
import { readMessages } from '../../text/message-reader.ts';

/**
 * Pages are cached for everybody; the current user is requested afterwards, once per page. Until the answer arrives the
 * page assumes the last user: `first.js` sets `data-viewer` on `<html>` before the first paint, so that signed-in users
 * never see "Sign in". `data-viewer-known` marks the arrival of the answer.
 * Source: design §4.4.
 */
const root = document.documentElement;
const each = <E extends HTMLElement>(name: string, fill: (element: E) => void) => {
  for (const element of document.querySelectorAll<E>(`[data-${name}]`)) fill(element);
};

function show(person: CurrentUser | null): void {
  root.dataset.viewer = person ? 'person' : 'nobody';
  root.dataset.role = person?.role ?? '';
  if (!person) return;
  const { username, avatar_url } = person;
  each('account-label', (button) => {
    button.ariaLabel = (button.dataset.accountLabel ?? '').replace('{username}', username);
  });
  each('username', (element) => {
    element.textContent = username;
  });
  each<HTMLAnchorElement>('profile', (link) => {
    link.href = (link.dataset.profile ?? '').replace('{username}', encodeURIComponent(username));
  });
  each<HTMLImageElement>('avatar', (picture) => {
    if (avatar_url && picture.getAttribute('src') !== avatar_url) picture.src = avatar_url;
    picture.hidden = !avatar_url;
  });
  each('letter', (letter) => {
    letter.hidden = !!avatar_url;
    letter.textContent = [...username][0]?.toUpperCase() ?? '';
  });
}

/** Larger numbers are shown as this and a plus sign. */
const most_shown = 99;

function showUnread(count: number): void {
  const shown = count > most_shown ? `${most_shown}+` : String(count);
  each('unread', (bell) => {
    bell.ariaLabel = readMessages<'shell.unread'>(bell).t('shell.unread', { count, shown });
  });
  each('unread-count', (badge) => {
    badge.textContent = shown;
    badge.hidden = count === 0;
  });
}

/** The projects and people of the page that can be followed or saved. */
const applied = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-follow], [data-save]')]
    .map(({ dataset }) => (dataset.follow ?? dataset.save)!)
    .slice(0, 200);

/** The project of the page, or its organization. */
const { project, organization } =
  document.querySelector<HTMLElement>(':is([data-project], [data-organization]):not(template)')?.dataset ??
  {};

/** The ad of the page: the request counts it when it can be seen, and only for visitors who are not signed in. */
const ad = document.querySelector<HTMLElement>('[data-ad]');

/** No request of another window's focus before so many milliseconds have passed. */
const between_ms = 5_000;
let refreshed = 0;

async function refresh(tried = 0): Promise<void> {
  refreshed = Date.now();
  const shown = ad?.clientHeight ? ad.dataset.ad : undefined;
  const requested = { projects: applied(), project, organization, ad: shown };
  const answer = await apiFetch('POST /_internal/viewer', { json: requested });
  if (!answer.ok) {
    // the page stays as it is, without what only this person may do: asked again after 1, 5 and 25 seconds, unless refused
    if (tried < 3 && (answer.error.status || 500) > 428) setTimeout(refresh, 1000 * 5 ** tried, tried + 1);
    return;
  }
  const { user, unpaid, unpaid_for, unverified } = answer.data;
  rememberUser(user && { ...user, unpaid, unverified: !!unverified });
  $viewer.set(answer.data);
  show(user);
  showUnread(answer.data.unread);
  root.toggleAttribute('data-unpaid', unpaid);
  if (unpaid) document.querySelector('.unpaid bdi')!.textContent = unpaid_for;
  root.toggleAttribute('data-unverified', !!unverified);
  if (unverified) void import('./unverified.ts');
  // what a search shows later can be saved too
  if (answer.data.saved[0] && document.querySelector('[data-save], [client=use]')) void import('./saved.ts');
  root.toggleAttribute('data-member', answer.data.project?.member === true);
  root.dataset.viewerKnown = '';
  const isBlocked = ad && !user && !ad.clientHeight;
  if (isBlocked && !document.cookie.includes('notUsingBlockers')) void import('./blocked-note.ts');
}

const last = lastUser();
if (last) show(last);
void refresh();
// a page restored from the back/forward cache may show the user from before a sign-in or sign-out
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void refresh();
});
// notifications may have come meanwhile, or were read elsewhere
addEventListener('focus', () => {
  if ($viewer.get()?.user && Date.now() - refreshed > between_ms) void refresh();
});
document.addEventListener('submit', ({ target }) => {
  if ((target as HTMLFormElement).matches('[data-sign-out]')) rememberUser(null);
});
