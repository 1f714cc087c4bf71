import { apiFetch } from '../../browser/api-client.ts';
import { $viewer } from '../../browser/current-user.store.ts';
import { takeEarlyPress } from '../../browser/early-press.ts';
import { createFollowToggle } from '../../browser/follow.store.ts';
import { keepFollowWish, takeFollowWish } from '../../browser/follow-wish.ts';
import { mutate } from '../../browser/mutate.ts';
import { signIn } from '../../browser/sign-in.ts';

/** Follow buttons of projects and people, the follower counts beside them, and what only followers see. Source: screens §A.4. */
type Texts = Record<'short' | 'unit' | 'long', string>;

/** Shows the count from the page, one more or one less: the page contains the text for each. */
function count(id: string, by: -1 | 0 | 1): void {
  const displayed = document.querySelector<HTMLElement>(`[data-followers="${id}"]`);
  if (!displayed) return;
  const { short, unit, long } = (JSON.parse(displayed.dataset.texts!) as Texts[])[by + 1]!;
  displayed.title = long;
  displayed.querySelector('b')!.textContent = short;
  displayed.querySelector('[data-unit]')!.textContent = unit;
}

function start(button: HTMLButtonElement): void {
  const id = button.dataset.follow!;
  const { $follows, learn, set } = createFollowToggle(async (follow) => {
    const route =
      button.dataset.person === undefined ? '/v2/project/{id}/follow' : '/_internal/user/{id}/follow';
    const answer = await apiFetch(`${follow ? 'POST' : 'DELETE'} ${route}`, { path: { id } });
    // another tab may have done it already
    const isDone = !answer.ok && answer.error.code === (follow ? 'already_following' : 'not_following');
    return isDone ? { ok: true, data: null } : answer;
  });
  /** Whether the count on the page includes the user. */
  let counted: boolean | null = null;
  /** What the user last asked for: a retry sends that. */
  let requested = false;
  async function toggle(to: boolean, success?: { title: string; text: string }): Promise<void> {
    requested = to;
    const result = await mutate({
      send: () => set(requested),
      repeatable: true,
      ...(success && { success }),
    });
    // it leads to sign-in
    if (!result.ok && result.error.status === 401 && to) keepFollowWish(id);
  }
  const press = () => {
    if ($viewer.get()?.user !== null) return void toggle(!$follows.get());
    keepFollowWish(id);
    signIn();
  };
  // the button did not show yet whether the user follows, so it meant to follow
  let isEarly = takeEarlyPress(button);
  $viewer.subscribe((viewer) => {
    if (!viewer) return;
    const follows = viewer.follows.includes(id);
    counted ??= follows;
    learn(follows);
    // asked for before signing in; whoever came back without doing so did not mean it
    if (takeFollowWish(id) && viewer.user && !follows)
      void toggle(true, JSON.parse(button.dataset.followed!));
    else if (isEarly && !follows) press();
    isEarly = false;
  });
  $follows.subscribe((follows) => {
    button.setAttribute('aria-pressed', String(follows));
    for (const element of document.querySelectorAll<HTMLElement>(`[data-follower="${id}"]`))
      element.hidden = !follows;
    count(id, (Number(follows) - Number(counted ?? false)) as -1 | 0 | 1);
  });
  button.addEventListener('click', press);
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-follow]')) start(button);
