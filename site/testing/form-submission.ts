/** What a test fills into a field: its text, several, whether a check box is checked, a file. */
export type Offered = string | readonly string[] | boolean | File;

/** Where a link or a form leads, and what is sent along. */
export interface Submission {
  url: string;
  method: 'get' | 'post';
  body: URLSearchParams | FormData | null;
}

type Entry = [name: string, value: string | File];

/** What a browser without scripts sends when `button` is pressed. */
export function submissionOf(button: Element, values: Record<string, Offered>, page: string): Submission {
  const form = formOf(button);
  if (!form) throw new Error(`Not in a form: ${button.outerHTML.slice(0, 200)}`);
  const attribute = (name: string) => button.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const entries = entriesOf(form, button, values);
  const action = new URL(attribute('action') || page, `http://page${page}`);
  const method = attribute('method')?.toLowerCase() === 'post' ? 'post' : 'get';
  const texts = entries.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);
  if (method === 'get') {
    action.search = new URLSearchParams(texts).toString();
    return { url: action.pathname + action.search, method, body: null };
  }
  const url = action.pathname + action.search;
  if (attribute('enctype') !== 'multipart/form-data')
    return { url, method, body: new URLSearchParams(texts) };
  const body = new FormData();
  for (const [name, value] of entries) body.append(name, value);
  return { url, method, body };
}

const formOf = (control: Element): Element | null => {
  const id = control.getAttribute('form');
  return id ? control.ownerDocument.getElementById(id) : control.closest('form');
};

function entriesOf(form: Element, button: Element, values: Record<string, Offered>): Entry[] {
  const controls = [...form.ownerDocument.querySelectorAll('input, select, textarea')].filter(
    (control) => formOf(control) === form && isEnabled(control),
  );
  const entries = controls.flatMap((control): Entry[] => {
    const name = control.getAttribute('name');
    return name ? valuesOf(control, values[name]).map((value) => [name, value]) : [];
  });
  for (const [name, offered] of Object.entries(values))
    if (offered !== false && !entries.some(([sent]) => sent === name))
      throw new Error(`The form has no field ${name} that takes ${JSON.stringify(offered)}`);
  const name = button.getAttribute('name');
  if (name) entries.push([name, button.getAttribute('value') ?? '']);
  return entries;
}

const isEnabled = (control: Element): boolean =>
  !control.hasAttribute('disabled') && !control.closest('fieldset[disabled]');

function valuesOf(control: Element, offered: Offered | undefined): Array<string | File> {
  const type = control.getAttribute('type') ?? 'text';
  if (control.tagName === 'SELECT') return optionsOf(control, offered);
  if (type === 'checkbox' || type === 'radio') {
    const value = control.getAttribute('value') ?? 'on';
    const is_checked =
      offered === undefined
        ? control.hasAttribute('checked')
        : offered === true || [offered].flat().includes(value);
    return is_checked ? [value] : [];
  }
  if (['submit', 'button', 'reset', 'image'].includes(type)) return [];
  if (type === 'file') return offered instanceof File ? [offered] : [new File([], '')];
  if (typeof offered === 'string' || offered instanceof File) return [offered];
  if (offered !== undefined) throw new Error(`${control.getAttribute('name')} takes one text`);
  return [control.tagName === 'TEXTAREA' ? textIn(control) : (control.getAttribute('value') ?? '')];
}

/** Browsers drop the line break right after the tag. */
const textIn = (area: Element): string => (area.textContent ?? '').replace(/^\n/, '');

function optionsOf(select: Element, offered: Offered | undefined): string[] {
  const options = [...select.querySelectorAll('option')].filter((option) => !option.hasAttribute('disabled'));
  const textOf = (option: Element) => option.getAttribute('value') ?? (option.textContent ?? '').trim();
  if (offered !== undefined) {
    const wanted = [offered].flat() as string[];
    const known = options.map(textOf);
    for (const value of wanted)
      if (!known.includes(value)) throw new Error(`No option ${value} in ${JSON.stringify(known)}`);
    return wanted;
  }
  const selected = options.filter((option) => option.hasAttribute('selected'));
  const shown = select.hasAttribute('multiple') ? selected : (selected.slice(-1)[0] ?? options[0]);
  return [shown ?? []].flat().map(textOf);
}
