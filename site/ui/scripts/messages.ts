import { $flags } from '../../flags/flags.store.ts';
import { $messages, dismiss, type Message } from '../messages.store.ts';
import { type Stay, stay } from '../stay.ts';
import { announce } from './announce.ts';

/**
 * Shows `$messages`: each for 30 s, its time stands still under the pointer and while the focus is in it. They lie on
 * top of everything, inside the dialog that is open, since nothing beside that can be reached. Source: spec §4, §9.
 */
const stays_ms = 30_000;
const place = document.querySelector<HTMLElement>('[data-messages]');
const corner = place?.querySelector<HTMLElement>('section');
const list = place?.querySelector('ol');
const shape = place?.querySelector('template');

interface Shown {
  element: HTMLElement;
  count: number;
  stay: Stay;
}
const shown = new Map<number, Shown>();

function make(message: Message): Shown {
  const element = shape!.content.firstElementChild!.cloneNode(true) as HTMLElement;
  const part = <E extends HTMLElement>(name: string) => element.querySelector<E>(`[data-${name}]`)!;
  element.classList.add(message.type);
  for (const icon of element.querySelectorAll<SVGElement>('[data-type]'))
    if (icon.dataset.type !== message.type) icon.remove();
  part('title').textContent = message.title;
  part('text').textContent = message.text;
  part('dismiss').addEventListener('click', () => dismiss(message.id));
  const time = stay(stays_ms, () => dismiss(message.id));
  element.addEventListener('pointerenter', () => time.hold('pointer'));
  element.addEventListener('pointerleave', () => time.free('pointer'));
  element.addEventListener('focusin', () => time.hold('focus'));
  element.addEventListener('focusout', () => time.free('focus'));
  return { element, count: 1, stay: time };
}

/** Fills in what may change while a message is there. */
function fill({ element }: Shown, { title, text, error_code = '', count }: Message): void {
  const part = (name: string) => element.querySelector<HTMLElement>(`[data-${name}]`)!;
  part('count').textContent = count > 1 ? `×${count}` : '';
  part('code').textContent = error_code;
  part('code').hidden = error_code === '';
  part('copy').dataset.copy = [title, text, error_code].filter(Boolean).join('\n');
  announce([title, part('count').textContent, text].filter(Boolean).join('. '));
}

function remove(id: number, { element, stay }: Shown): void {
  const had = element.contains(document.activeElement);
  const beside = element.nextElementSibling ?? element.previousElementSibling;
  stay.stop();
  element.remove();
  shown.delete(id);
  if (had)
    (
      beside?.querySelector<HTMLElement>('[data-dismiss]') ?? document.querySelector<HTMLElement>('main')
    )?.focus();
}

/** Keeps the messages on top of everything, in the dialog that is open if there is one. */
function raise(): void {
  if (!place || !corner) return;
  const home = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  if (place.parentElement !== home) home.append(place);
  const isOpen = corner.matches(':popover-open');
  if (shown.size > 0 && !isOpen) corner.showPopover();
  if (shown.size === 0 && isOpen) corner.hidePopover();
}

$messages.listen((messages) => {
  if (!list || !shape) return;
  const wanted = new Set(messages.map(({ id }) => id));
  for (const [id, one] of shown) if (!wanted.has(id)) remove(id, one);
  for (const message of messages) {
    const known = shown.get(message.id);
    if (known?.count === message.count) continue;
    const one = known ?? make(message);
    fill(one, message);
    one.count = message.count;
    if (known) {
      one.stay.again();
      for (const line of one.element.getAnimations({ subtree: true })) line.currentTime = 0;
      continue;
    }
    shown.set(message.id, one);
    list.append(one.element);
  }
  raise();
});
// a dialog that closes would take them along
document.addEventListener('close', raise, { capture: true });
$flags.subscribe(({ messagesAtStart }) => corner?.classList.toggle('start', messagesAtStart));
