import { requestFrom, sendTo } from '../../browser/api-client.ts';
import { mutate } from '../../browser/mutate.ts';
import { $toasts, dismissToast, showToast } from '../../browser/toasts.store.ts';
import { type Control, controlsOf, isChanged } from './is-changed.ts';
import { isThisPage } from './this-page.ts';

/**
 * What a form saved, shown without leaving the page: its fields and those of the page's other forms start from what the
 * server has now, the parts marked `data-fresh` are taken over, and a toast says so and offers to undo. Nothing jumps,
 * the focus stays, and what was typed meanwhile is still unsaved. Where the page would look different in another way, it
 * is loaded again at the same place.
 * @param to the path the answer leads to, of this page with `saved=1`
 * @param sent the fields of `form` as they were sent; null for none, after an undo
 */
export async function saveInPlace(
  form: HTMLFormElement | null,
  to: string,
  sent: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const fresh = await pageAt(to);
  const saved = fresh?.querySelector('[data-saved-note]');
  const pairs = fresh && pairsOf(fresh);
  if (!fresh || !saved || !pairs?.every(([, , fits]) => fits) || textOf(document) !== textOf(fresh)) {
    // keeps the place on the page, unlike another address
    history.replaceState(history.state, '', to);
    location.reload();
    return;
  }
  const now = form && Object.fromEntries(new FormData(form));
  const typedSince = ({ name }: Control) => now?.[name] !== sent?.[name];
  for (const [own, next] of pairs) takeOver(own, next, own === form ? typedSince : isChanged);
  takeLiveParts(fresh);
  document.title = fresh.title;
  document.querySelector('[data-saved-note]')?.remove();
  showSaved(saved);
  for (const [own] of pairs) own.dispatchEvent(new CustomEvent('form:saved'));
}

/** Shows that something was saved as a toast, with the button of `Saved.astro` that undoes. */
export function showSaved(saved: Element): void {
  const undo = saved.querySelector<HTMLFormElement>('form');
  const title = saved.querySelector('b')?.textContent?.trim() ?? '';
  // saved again: the one before can be undone no more
  for (const one of $toasts.get()) if (one.title === title && one.type === 'success') dismissToast(one.id);
  const button = undo?.querySelector('button');
  showToast({
    ...{ type: 'success', title, text: '' },
    ...(undo && { retry: () => void takeBack(undo), action: button?.textContent?.trim() ?? '' }),
  });
}

/** Sends what the fields were before. */
async function takeBack(undo: HTMLFormElement): Promise<void> {
  const action = undo.getAttribute('action')!;
  const json = Object.fromEntries(new FormData(undo));
  const result = await mutate({
    send: () => sendTo<{ to: string }>(action, { method: 'POST', json }),
    redirect: ({ to }) => (isThisPage(to) ? null : to),
  });
  if (result.ok && isThisPage(result.data.to)) await saveInPlace(null, result.data.to, null);
}

async function pageAt(to: string): Promise<Document | null> {
  // offline since: loading the page says so
  const answer = await requestFrom(to, { headers: { accept: 'text/html' } });
  const text = answer?.ok ? await answer.text().catch(() => null) : null;
  return text === null ? null : new DOMParser().parseFromString(text, 'text/html');
}

const formsOf = (page: Document): HTMLFormElement[] =>
  [...page.querySelectorAll<HTMLFormElement>('main form[data-form]')].filter(
    (form) => !form.closest('[data-saved-note]'),
  );

/** The forms of both pages in their order, and whether two have the same fields with the same choices; null when they differ. */
function pairsOf(fresh: Document): [HTMLFormElement, HTMLFormElement, boolean][] | null {
  const [own, next] = [formsOf(document), formsOf(fresh)];
  if (own.length !== next.length) return null;
  return own.map((form, i) => [form, next[i]!, fieldsOf(form) === fieldsOf(next[i]!)]);
}

const fieldsOf = (form: HTMLFormElement): string =>
  JSON.stringify([
    form.getAttribute('action'),
    form.querySelector('[data-conflict]') !== null,
    controlsOf(form).map((control) => [
      control.name,
      control.type,
      /^(checkbox|radio)$/.test(control.type) ? control.value : null,
      control instanceof HTMLSelectElement ? [...control.options].map(({ value }) => value) : null,
      control.disabled,
    ]),
  ]);

/** What a page says outside its forms and the parts that change by themselves, and where its links lead. */
function textOf(page: Document): string {
  const main = page.querySelector('main')!.cloneNode(true) as HTMLElement;
  const remove = (parts: string) => {
    for (const part of main.querySelectorAll(parts)) part.remove();
  };
  remove('script, style, template, astro-island, svg, [data-saved-note], [data-fresh], [hidden]');
  const links = [...main.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  remove('form, time');
  return `${links.join(' ')} ${main.textContent ?? ''}`.replace(/\s+/g, ' ').trim();
}

/** Lets a form start from what the server has; fields that were changed since keep what was typed. */
function takeOver(own: HTMLFormElement, next: HTMLFormElement, keeps: (control: Control) => boolean): void {
  const [controls, others] = [controlsOf(own), controlsOf(next)];
  // asked of all before any changes: radios change each other
  const kept = controls.map(keeps);
  for (const [i, control] of controls.entries()) takeValue(control, others[i]!, kept[i]!);
}

function takeValue(control: Control, other: Control, keeps: boolean): void {
  if (control instanceof HTMLSelectElement) {
    const options = [...(other as HTMLSelectElement).options];
    for (const [i, option] of [...control.options].entries()) {
      const was = option.selected;
      option.defaultSelected = options[i]!.defaultSelected;
      option.selected = keeps ? was : options[i]!.selected;
    }
    return;
  }
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)) {
    const was = control.checked;
    control.defaultChecked = (other as HTMLInputElement).defaultChecked;
    control.checked = keeps ? was : control.defaultChecked;
    return;
  }
  const was = control.value;
  (control as HTMLInputElement).defaultValue = (other as HTMLInputElement).defaultValue;
  if (control.type !== 'file') control.value = keeps ? was : (other as HTMLInputElement).value;
}

/** Takes over the parts that show what was saved: a title, a list of what is left to do. */
function takeLiveParts(fresh: Document): void {
  const next = [...fresh.querySelectorAll('[data-fresh]')];
  for (const [i, part] of [...document.querySelectorAll('[data-fresh]')].entries()) {
    const other = next[i];
    if (!other || part.innerHTML === other.innerHTML || part.contains(document.activeElement)) continue;
    for (const { name, value } of other.attributes)
      if (name.startsWith('data-')) part.setAttribute(name, value);
    part.replaceChildren(...other.childNodes);
  }
}
