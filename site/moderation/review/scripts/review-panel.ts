import { apiFetch } from '../../../platform/browser/api-client.ts';
import { isTyping } from '../../../platform/ui/scripts/typing.ts';

/**
 * The reviewer's panel: one stage at a time, progress saved as it is made, the message composed by the server until somebody
 * writes it. Keeps the lock while the page is open and gives it back when the project is left.
 */
const panel = document.querySelector<HTMLElement>('[data-review]')!;
const state = JSON.parse(panel.dataset.review!) as {
  project: string;
  is_own: boolean;
  here: string;
  summaries: Record<string, string>;
  lost: string;
  failed: string;
};
const find = <E extends HTMLElement>(selector: string) => panel.querySelector<E>(selector)!;
const body = find('#review-body');
const stages = [...panel.querySelectorAll<HTMLElement>('[data-stage]')];
const message = find<HTMLTextAreaElement>('[name="message"]');
const recompose = find('[data-recompose]');
const save_delay_ms = 400;
const renew_ms = 4 * 60_000;

let at = Math.max(
  0,
  stages.findIndex((stage) => stage.hasAttribute('data-at')),
);

function showStage(next: number): void {
  at = Math.min(Math.max(next, 0), stages.length - 1);
  for (const [i, stage] of stages.entries()) stage.toggleAttribute('data-at', i === at);
  for (const [i, pip] of [...find('.steps').children].entries())
    pip.className = i === at ? 'at' : i < at ? 'done' : '';
  find('[data-stage-of]').textContent = `${at + 1} / ${stages.length}`;
  find<HTMLButtonElement>('[data-back]').disabled = at === 0;
  find<HTMLButtonElement>('[data-next]').disabled = at === stages.length - 1;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const controls = () => stages.flatMap((stage) => [...stage.querySelectorAll<Control>('[name]')]);
const choiceOf = (control: Control) =>
  control instanceof HTMLInputElement && control.type === 'checkbox'
    ? control.checked
      ? 'on'
      : ''
    : control.value;

/** Shows the texts that chosen actions ask for, and hides actions that another one enables or takes the place of. */
function showActions(): void {
  const actions = [...panel.querySelectorAll<HTMLElement>('[data-action]')];
  const is_set = (action: HTMLElement) =>
    [...action.querySelectorAll<Control>('[name]:not([name*=":"])')].some((control) => choiceOf(control));
  const named = (name: 'enables' | 'disables', of: HTMLElement[]) =>
    new Set(of.flatMap((action) => action.dataset[name]?.split(' ') ?? []));
  const set = actions.filter(is_set);
  const [dependent, enabled, disabled] = [
    named('enables', actions),
    named('enables', set),
    named('disables', set),
  ];
  for (const action of actions) {
    const id = action.dataset.action!;
    action.hidden = disabled.has(id) || (dependent.has(id) && !enabled.has(id));
    for (const input of action.querySelectorAll<HTMLElement>('[data-input]')) input.hidden = !is_set(action);
  }
}

let timer = 0;
let saving: Promise<void> = Promise.resolve();
function save(): void {
  clearTimeout(timer);
  timer = 0;
  saving = saving.then(async () => {
    const choices = Object.fromEntries(
      controls().flatMap((one) => (choiceOf(one) ? [[one.name, choiceOf(one)]] : [])),
    );
    const result = await apiFetch('POST /_internal/moderation/review/save', {
      json: {
        project: state.project,
        stage: stages[at]!.dataset.stage!,
        choices,
        message: state.is_own ? message.value : null,
      },
    });
    const note = find('[data-lock-note]');
    if (!result.ok) {
      note.textContent = result.error.description || state.failed;
      return;
    }
    const { message: composed, suggests, missing, is_locked } = result.data;
    if (is_locked) note.textContent = '';
    else note.textContent ||= state.lost;
    if (!state.is_own) message.value = composed;
    panel.dataset.suggests = suggests;
    find('[data-summary]').textContent = state.summaries[suggests] ?? '';
    for (const control of controls())
      control.setAttribute(
        'aria-invalid',
        String(missing.includes(control.name) && control.value.trim() === ''),
      );
  });
}
const saveSoon = (): void => {
  clearTimeout(timer);
  timer = window.setTimeout(save, save_delay_ms);
};

body.addEventListener('input', ({ target }) => {
  if (target === message) {
    state.is_own = true;
    recompose.hidden = false;
  }
  showActions();
  saveSoon();
});
recompose.addEventListener('click', () => {
  state.is_own = false;
  recompose.hidden = true;
  save();
});
find('[data-reset]').addEventListener('click', reset);
function reset(): void {
  for (const control of controls())
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = false;
    else control.value = '';
  state.is_own = false;
  recompose.hidden = true;
  showStage(0);
  showActions();
  save();
}
const go = (by: number): void => {
  showStage(at + by);
  save();
};
find('[data-back]').addEventListener('click', () => go(-1));
find('[data-next]').addEventListener('click', () => go(1));
const collapse = find('[data-collapse]');
const setPanelOpen = (open: boolean) => collapse.setAttribute('aria-expanded', String(open));
collapse.addEventListener('click', () => setPanelOpen(collapse.getAttribute('aria-expanded') === 'false'));

const focusMessage = (): void => {
  setPanelOpen(true);
  message.focus();
};

/** Keys of the checklist; the gallery's own arrow keys and what somebody types come first. Source: screens §E.2. */
addEventListener('keydown', (event) => {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
  const key = event.key.toLowerCase();
  const rtl = document.documentElement.dir === 'rtl' ? -1 : 1;
  const act = (work: () => void) => {
    event.preventDefault();
    work();
  };
  if (event.ctrlKey && event.shiftKey) {
    if (key === 'e') act(focusMessage);
    else if (key === 'r') act(reset);
    else if (key === 's') act(() => panel.querySelector<HTMLButtonElement>('[data-skip]')?.click());
  } else if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.shiftKey && key === 'c') act(() => collapse.click());
  else if (!event.shiftKey && event.key === 'ArrowRight') act(() => go(rtl));
  else if (!event.shiftKey && event.key === 'ArrowLeft') act(() => go(-rtl));
});

/** Whether the next page belongs to the same project, so that the lock stays. */
let stays = false;
addEventListener('click', ({ target }) => {
  const to = (target as Element).closest?.('a')?.pathname;
  stays = to !== undefined && (to === state.here || to.startsWith(`${state.here}/`));
});
addEventListener('submit', () => {
  stays = true; // forms of the panel end the lock themselves
  if (timer) save();
});
addEventListener('pagehide', () => {
  if (timer) save();
  if (!stays) navigator.sendBeacon(`/_internal/moderation/lock/${state.project}/release`, '');
});
setInterval(() => !document.hidden && save(), renew_ms);
body.dataset.ready = '';
if (matchMedia('(max-width: 74.99rem)').matches) setPanelOpen(false);
showStage(at);
showActions();
save();
