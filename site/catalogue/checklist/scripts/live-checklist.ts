import {
  checklistRules,
  checklistSteps,
  openPoints,
  type ProjectFacts,
} from '#db/catalogue/checklist/rules.ts';
import { factsOfForm } from './facts-of-form.ts';

/** Shows every checklist and advice of the page as it would be if all of its forms were saved. */
export function showChecklists(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-checklist]')) {
    const stored = JSON.parse(place.dataset.checklist!) as ProjectFacts;
    show(place, [...document.forms].reduce(factsOfForm, stored));
  }
}

function show(place: HTMLElement, facts: ProjectFacts): void {
  const open = openPoints(facts);
  const rules = new Set<string>(open.map(({ rule }) => rule));
  for (const point of place.querySelectorAll<HTMLElement>('[data-rule]'))
    point.hidden = !rules.has(point.dataset.rule!);
  const ready = place.querySelector<HTMLElement>('[data-checklist-ready]');
  if (ready) ready.hidden = open.some(({ rule }) => checklistRules[rule].level === 'required');
  showSteps(place, facts, open.length);
}

function showSteps(place: HTMLElement, facts: ProjectFacts, open: number): void {
  const counted = place.querySelector<HTMLElement>('[data-checklist-counted]');
  if (!counted) return; // advice has no steps
  const steps = checklistSteps(facts);
  const laid = steps.filter(({ done }) => done).length;
  for (const { rule, done } of steps) {
    const step = place.querySelector<HTMLElement>(`[data-step="${rule}"]`);
    if (step) step.hidden = !done;
  }
  for (const [at, stone] of [...place.querySelectorAll('.stones i')].entries())
    stone.classList.toggle('laid', at < laid);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  counted.textContent = counted.dataset
    .checklistCounted!.replace('{open}', number.format(open))
    .replace('{done}', number.format(laid));
}
