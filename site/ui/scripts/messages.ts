import { $messages, dismiss, type Message } from '../messages.store.ts';

/** Shows `$messages`: each for 30 s, its time stands still under the pointer. Source: spec §4, §9. */
const stays_ms = 30_000;
const list = document.querySelector<HTMLElement>('[data-toasts]');
const shape = document.querySelector<HTMLTemplateElement>('template[data-toast]');
const shown = new Map<number, HTMLElement>();

function make(message: Message): HTMLElement {
  const element = shape!.content.firstElementChild!.cloneNode(true) as HTMLElement;
  element.classList.add(message.type);
  element.querySelector('[data-title]')!.textContent = message.title;
  element.querySelector('[data-text]')!.textContent = message.text;
  element.querySelector('[data-count]')!.textContent = message.count > 1 ? `×${message.count}` : '';
  const whole = [message.title, message.text, message.error_code].filter(Boolean).join('\n');
  element.querySelector<HTMLElement>('[data-copy]')!.dataset.copy = whole;
  element.querySelector('[data-dismiss]')!.addEventListener('click', () => dismiss(message.id));
  let left = stays_ms;
  let since = Date.now();
  let timer = setTimeout(() => dismiss(message.id), left);
  element.addEventListener('pointerenter', () => {
    clearTimeout(timer);
    left -= Date.now() - since;
  });
  element.addEventListener('pointerleave', () => {
    since = Date.now();
    timer = setTimeout(() => dismiss(message.id), left);
  });
  return element;
}

$messages.listen((messages) => {
  if (!list || !shape) return;
  const wanted = new Set(messages.map(({ id }) => id));
  for (const [id, element] of shown) {
    if (wanted.has(id)) continue;
    element.remove();
    shown.delete(id);
  }
  for (const message of messages) {
    if (shown.has(message.id)) continue;
    const element = make(message);
    shown.set(message.id, element);
    list.append(element);
  }
});
