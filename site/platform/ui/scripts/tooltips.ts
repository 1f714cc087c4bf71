import { tooltipPosition } from '../tooltip-position.ts';

/**
 * Tooltips: the `data-tip` or `title` of an element, after 200 ms of hover or on keyboard focus. They hide 150 ms after
 * the pointer left; Escape and a press hide them at once, and the pointer may move onto them. A button whose menu is
 * open has none: it would cover the menu. No information is only in a tooltip. Without scripts the browser shows
 * `title`. Source: specification §9; WCAG 2.2 §1.4.13.
 */
const delay_ms = 200;
const hide_after_ms = 150;
const described = '[data-tip], [title]:not(iframe, [title=""])';

const tip = document.createElement('span');
tip.className = 'tip';
tip.id = 'tip';
tip.role = 'tooltip';
tip.popover = 'manual';
const textOf = tip.appendChild(document.createElement('span'));

/** The tooltip's target, and its `title`, removed so that the browser does not show a second tooltip. */
let about: HTMLElement | null = null;
let borrowed_title: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let later: ReturnType<typeof setTimeout> | undefined;

/** A tooltip's text may change or disappear while it is visible, and its target may open a menu. */
const changes = new MutationObserver(() => {
  const text = about?.dataset.tip;
  if (text && !isOpen(about!)) textOf.textContent = text;
  else leave();
});
const isOpen = (target: HTMLElement): boolean => target.matches('[aria-expanded=true], [open] > summary');

const aboutOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(described) : null;
const describes = (): string[] =>
  (about?.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== tip.id);

function show(): void {
  if (!about?.isConnected || isOpen(about)) return;
  if (about.title) {
    borrowed_title = about.title;
    about.removeAttribute('title');
  }
  const text = borrowed_title ?? about.dataset.tip ?? '';
  if (!text) return;
  textOf.textContent = text;
  clearTimeout(later);
  (about.closest('dialog') ?? document.body).append(tip);
  tip.showPopover();
  position(about);
  tip.classList.add('on');
  changes.observe(about, { attributeFilter: ['data-tip', 'aria-expanded'] });
  // a name with the same text needs no description
  if (about.ariaLabel !== text) about.setAttribute('aria-describedby', [...describes(), tip.id].join(' '));
}

function position(beside: HTMLElement): void {
  const { clientWidth: width } = document.documentElement;
  const { x, y } = tooltipPosition(beside.getBoundingClientRect(), tip.getBoundingClientRect(), {
    width,
    height: innerHeight,
  });
  tip.style.translate = `${x}px ${y}px`;
}

function hide(): void {
  clearTimeout(timer);
  changes.disconnect();
  if (about?.hasAttribute('aria-describedby')) {
    const others = describes().join(' ');
    if (others) about.setAttribute('aria-describedby', others);
    else about.removeAttribute('aria-describedby');
  }
  tip.classList.remove('on');
  clearTimeout(later);
  later = setTimeout(() => tip.remove(), hide_after_ms);
}

function leave(): void {
  hide();
  if (about && borrowed_title !== null && !about.title) about.title = borrowed_title;
  about = borrowed_title = null;
}

function schedule(next: HTMLElement | null): void {
  if (next === about) return;
  leave();
  about = next;
  if (next) timer = setTimeout(show, delay_ms);
}

/** Shows the tooltip of the element that was reached while this script was loaded, if it is still there. */
export function startTooltips(target: EventTarget | null): void {
  const reached = aboutOf(target);
  if (reached?.matches(':hover, :focus-visible, :has(:hover)')) schedule(reached);
}

document.addEventListener('pointerover', ({ target, pointerType, buttons }) => {
  // none while something is dragged: it would lie over the place where that is dropped
  if (pointerType !== 'touch' && !buttons && !tip.contains(target as Node)) schedule(aboutOf(target));
});
document.documentElement.addEventListener('pointerleave', leave);
document.addEventListener('focusin', ({ target }) => {
  if ((target as Element).matches(':focus-visible')) schedule(aboutOf(target));
});
document.addEventListener('focusout', leave);
document.addEventListener('pointerdown', hide);
// this event does not bubble
document.addEventListener('toggle', ({ target }) => about && (target as Element).contains(about) && leave(), {
  capture: true,
});
addEventListener(
  'scroll',
  () => {
    if (about && tip.classList.contains('on')) position(about);
  },
  { capture: true, passive: true },
);
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') hide();
});
