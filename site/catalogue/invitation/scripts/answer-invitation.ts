import { sendTo } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { showToast } from '../../../platform/browser/toasts.store.ts';

type Answer = 'accept' | 'decline';
type Texts = Record<Answer, { done: string; failed: string }>;

/** Fills the invitation card of the page and lets its buttons answer. Source: specification §8. */
export function showInvitation({ team_id, role }: { team_id: string; role: string }): void {
  const card = document.querySelector<HTMLElement>('[data-invitation]');
  if (!card) return;
  const texts = JSON.parse(card.dataset.invitation!) as Texts;
  card.querySelector('[data-role]')!.textContent = role;
  card.hidden = false;
  card.onclick = async ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-answer]');
    if (!button || card.ariaBusy) return;
    const answer = button.dataset.answer as Answer;
    const { done, failed } = texts[answer];
    const here = location.pathname + location.search;
    card.ariaBusy = 'true';
    const result = await mutate({
      send: () => sendTo(`/_internal/notifications/${answer}`, { method: 'POST', json: { team_id } }),
      success: { title: done, text: '' },
      redirect: () => (answer === 'decline' && card.dataset.leaves) || here,
      refused({ code, description }) {
        showToast({ type: 'error', title: failed, text: description, error_code: code });
        return true;
      },
    });
    if (!result.ok) card.ariaBusy = null;
  };
}
