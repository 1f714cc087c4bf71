import { apiFetch } from '../../browser/api-client.ts';
import { $viewer } from '../../browser/current-user.store.ts';
import { createFollowToggle } from '../../browser/follow.store.ts';
import { showToast } from '../../browser/toasts.store.ts';
import { signIn } from '../sign-in.ts';

/** Follow buttons, and the follower counts beside them. Source: screens §A.4. */
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
  const { $follows, learn, toggle } = createFollowToggle(async (follow) => {
    const answer = await apiFetch(`/v2/project/${id}/follow`, { method: follow ? 'POST' : 'DELETE' });
    // another tab may have done it already
    if (answer.ok || answer.error.code === (follow ? 'already_following' : 'not_following')) return null;
    return answer.error;
  });
  /** Whether the count on the page includes the user. */
  let counted: boolean | null = null;
  $viewer.subscribe((viewer) => {
    if (!viewer) return;
    const follows = viewer.follows.includes(id);
    counted ??= follows;
    learn(follows);
  });
  $follows.subscribe((follows) => {
    button.setAttribute('aria-pressed', String(follows));
    count(id, (Number(follows) - Number(counted ?? false)) as -1 | 0 | 1);
  });
  button.addEventListener('click', async () => {
    if ($viewer.get()?.user === null) return signIn();
    const error = await toggle();
    if (error?.status === 401) return signIn();
    if (error) {
      const { failed = '', failedText = '' } = button.dataset;
      showToast({ title: failed, text: failedText, type: 'error', error_code: error.code });
    }
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-follow]')) start(button);
