import { listNames, lists, parseState, type SearchState } from '../state.ts';

/** The state of the form, on the first page. */
export function stateOfForm(form: HTMLFormElement): SearchState {
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return parseState(new URLSearchParams(fields));
}

/** Fills the form from `state`, except the page size and the text box while it has the focus. */
export function fillForm(form: HTMLFormElement, state: SearchState): void {
  const chosen = new Map<string, readonly string[]>([
    ...listNames.map((name) => [lists[name], state[name]] as const),
    ['l', state.open_source ? ['open_source'] : []],
    ['h', state.all_versions ? ['1'] : []],
  ]);
  const values: Record<string, string> = { q: state.text, s: state.sort };
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox') {
      field.checked = chosen.get(field.name)?.includes(field.value) ?? false;
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      const value = values[field.name];
      if (value !== undefined && (document.activeElement !== field || field.name !== 'q'))
        field.value = value;
    }
  }
}
