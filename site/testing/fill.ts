import { computeAccessibleDescription } from 'dom-accessibility-api';
import type { Offered } from './form-submission.ts';
import type { Page } from './page.ts';
import { accessibleName } from './roles.ts';
import { isShown, restyle, styleOf } from './shown.ts';

/** Forms of a page by what stands beside their fields, as people fill them in. */

/**
 * The shown field with this label, or whose label begins with it and explains itself after that; throws when there is none,
 * or another one.
 */
export function field(page: Page, label: string | RegExp, within: Element = page.document.body): Element {
  const fields = [...within.querySelectorAll('input:not([type=hidden]), select, textarea')].filter(isShown);
  const exact = fields.filter((one) => matches(accessibleName(one), label));
  const begun = fields.filter((one) => typeof label === 'string' && accessibleName(one).startsWith(label));
  const found = exact.length > 0 ? exact : begun;
  if (found.length === 1) return found[0]!;
  const names = fields.map((one) => accessibleName(one));
  throw new Error(`${page.url} has ${found.length} fields ${label}: ${JSON.stringify(names)}`);
}

/** What assistive technology reads after the name of an element: hints and mistakes. */
export const descriptionOf = (element: Element): string =>
  computeAccessibleDescription(element, {
    getComputedStyle: styleOf as never,
    computedStyleSupportsPseudoElements: false,
  });

/** What the page put into a field. */
export function shownIn(element: Element): string {
  if (element.tagName === 'TEXTAREA') return (element.textContent ?? '').replace(/^\n/, '');
  if (element.tagName !== 'SELECT') return element.getAttribute('value') ?? '';
  const options = [...element.querySelectorAll('option')];
  const chosen = options.find((option) => option.hasAttribute('selected')) ?? options[0];
  return chosen?.getAttribute('value') ?? chosen?.textContent?.trim() ?? '';
}

export const isChecked = (element: Element): boolean => element.hasAttribute('checked');

/** Opens what a summary hides. */
export function unfold(page: Page, summary: string): void {
  const found = [...page.document.querySelectorAll('summary')].find(
    (one) => one.textContent?.trim() === summary,
  );
  if (!found) throw new Error(`${page.url} has nothing to unfold that says ${summary}`);
  found.parentElement!.setAttribute('open', '');
  restyle(found.parentElement!);
}

interface Scope {
  /** Only fields and buttons inside this element. */
  within?: Element;
}

/**
 * Fills fields in by their labels and presses the button: a text, whether a box is checked, the words of an option, a file.
 * Other fields are sent as they are.
 */
export async function send(
  page: Page,
  button: string | RegExp | Element,
  values: Record<string, Offered> = {},
  { within = page.document.body }: Scope = {},
): Promise<Page> {
  const is_named = typeof button === 'string' || button instanceof RegExp;
  const pressed = is_named ? page.one('button', { name: button, within }) : button;
  const offered: Record<string, Offered> = {};
  for (const [label, value] of Object.entries(values)) {
    const element = field(page, label, within);
    const name = element.getAttribute('name');
    if (!name) throw new Error(`Not sent: ${element.outerHTML.slice(0, 200)}`);
    offered[name] = offeredOf(element, value, offered[name]);
  }
  return await page.submit(pressed, offered);
}

/** What a form takes for a field: boxes that share a name are sent together, options by their values. */
function offeredOf(element: Element, value: Offered, before: Offered | undefined): Offered {
  const own = element.getAttribute('value') ?? 'on';
  if (element.tagName === 'SELECT') return optionOf(element, String(value));
  if (typeof value !== 'boolean') return value;
  if (element.getAttribute('type') === 'radio') return own;
  const name = element.getAttribute('name');
  const others = [...element.closest('form')!.querySelectorAll(`input[type=checkbox][name="${name}"]`)];
  if (others.length === 1) return value;
  const checked = others.filter(isChecked).map((other) => other.getAttribute('value') ?? 'on');
  const sent = new Set(Array.isArray(before) ? before : checked);
  if (value) sent.add(own);
  else sent.delete(own);
  return sent.size > 0 && [...sent];
}

function optionOf(select: Element, words: string): string {
  for (const option of select.querySelectorAll('option')) {
    const text = option.textContent!.trim();
    if (text === words) return option.getAttribute('value') ?? text;
  }
  return words;
}

const matches = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);
