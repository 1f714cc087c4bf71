import type { View } from '../view.ts';

/** Shows beside each option how many projects it gives; an option without a count gives none. */
export function showCounts(form: HTMLFormElement, { none, fields }: View['counts']): void {
  for (const line of form.querySelectorAll('[data-filters] .filter')) {
    const { name, value } = line.querySelector('input')!;
    const number = line.querySelector('.n');
    const known = fields[name];
    if (!number || !known) continue;
    number.textContent = known[value] ?? none;
    line.classList.toggle('none', !(value in known));
  }
}
