import { $toasts, dismissToast, type Toast } from '../../browser/toasts.store.ts';
import { $flags } from '../../flags/flags.store.ts';
import { type PausableTimer, pausableTimer } from '../pausable-timer.ts';
import { announce } from './live-region.ts';

/**
 * Renders `$toasts`, once `load-toasts.ts` has loaded it: each for 30 s, paused under the pointer and while focused. They are in the top layer, inside an
 * open dialog if there is one, since everything outside is inert. Source: specification §4, §9.
 */
const visible_ms = 30_000;
const position = document.querySelector<HTMLElement>('[data-toasts]');
const corner = position?.querySelector<HTMLElement>('section');
const list = position?.querySelector('ol');
const shape = position?.querySelector('template');

interface VisibleToast {
  element: HTMLElement;
  count: number;
  timer: PausableTimer;
}
const visible_toasts = new Map<number, VisibleToast>();

function make(message: Toast): VisibleToast {
  const element = shape!.content.firstElementChild!.cloneNode(true) as HTMLElement;
  const part = <E extends HTMLElement>(name: string) => element.querySelector<E>(`[data-${name}]`)!;
  element.classList.add(message.type);
  for (const icon of element.querySelectorAll<SVGElement>('[data-type]'))
    if (icon.dataset.type !== message.type) icon.remove();
  part('title').textContent = message.title;
  part('text').textContent = message.text;
  if (message.action) part('retry').textContent = message.action;
  part('dismiss').addEventListener('click', () => dismissToast(message.id));
  const time = pausableTimer(visible_ms, () => dismissToast(message.id));
  element.addEventListener('pointerenter', () => time.pause('pointer'));
  element.addEventListener('pointerleave', () => time.resume('pointer'));
  element.addEventListener('focusin', () => time.pause('focus'));
  element.addEventListener('focusout', () => time.resume('focus'));
  return { element, count: 1, timer: time };
}

/** Fills in what may change while a toast is visible. */
function fill({ element }: VisibleToast, { id, title, text, error_code = '', retry, count }: Toast): void {
  const part = (name: string) => element.querySelector<HTMLElement>(`[data-${name}]`)!;
  part('count').textContent = count > 1 ? `×${count}` : '';
  part('code').textContent = error_code;
  part('code').hidden = error_code === '';
  part('retry').hidden = !retry;
  part('retry').onclick = () => {
    dismissToast(id);
    retry?.();
  };
  part('copy').dataset.copy = [title, text, error_code].filter(Boolean).join('\n');
  announce([title, part('count').textContent, text].filter(Boolean).join('. '));
}

function remove(id: number, { element, timer }: VisibleToast): void {
  const had = element.contains(document.activeElement);
  const beside = element.nextElementSibling ?? element.previousElementSibling;
  timer.stop();
  element.remove();
  visible_toasts.delete(id);
  if (had)
    (
      beside?.querySelector<HTMLElement>('[data-dismiss]') ?? document.querySelector<HTMLElement>('main')
    )?.focus();
}

/** Keeps the toasts in the top layer, in the open dialog if there is one. */
function raise(): void {
  if (!position || !corner) return;
  const home = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  if (position.parentElement !== home) home.append(position);
  const isOpen = corner.matches(':popover-open');
  if (visible_toasts.size > 0 && !isOpen) corner.showPopover();
  if (visible_toasts.size === 0 && isOpen) corner.hidePopover();
}

$toasts.subscribe((messages) => {
  if (!list || !shape) return;
  const requested = new Set(messages.map(({ id }) => id));
  for (const [id, one] of visible_toasts) if (!requested.has(id)) remove(id, one);
  for (const message of messages) {
    const known = visible_toasts.get(message.id);
    if (known?.count === message.count) continue;
    const one = known ?? make(message);
    fill(one, message);
    one.count = message.count;
    if (known) {
      one.timer.restart();
      for (const line of one.element.getAnimations({ subtree: true })) line.currentTime = 0;
      continue;
    }
    visible_toasts.set(message.id, one);
    list.append(one.element);
  }
  raise();
});
// a closing dialog would hide them too
document.addEventListener('close', raise, { capture: true });
$flags.subscribe(({ messagesAtStart }) => corner?.classList.toggle('start', messagesAtStart));
