import { readMessages } from '../../../platform/text/message-reader.ts';
import { updateTimes } from '../../../platform/ui/scripts/relative-times.ts';
import {
  answerOf,
  type Build,
  completed,
  narrowedTo,
  type Offer,
  type Pair,
  preselected,
  whyNot,
} from '../rules.ts';
import { remember, remembered } from './remembered.ts';

type Part = keyof Pair;
const other = { game: 'loader', loader: 'game' } as const;
const confirmed_ms = 500;

/**
 * Updates the download form: shows the builds for the chosen pair, and why other options have none. `reveal` scrolls to
 * the selection and puts the focus there, once the form is visible.
 */
export function chooser(form: HTMLFormElement): { reveal(): void } {
  const part = <E extends HTMLElement>(name: string) => form.querySelector<E>(`[data-${name}]`)!;
  const { t } = readMessages<'download.'>(form);
  const builds = JSON.parse(form.dataset.builds!) as Build[];
  const radios = { game: optionsOf(form, 'game'), loader: optionsOf(form, 'loader') };
  const offer: Offer = {
    builds,
    games: radios.game.map(({ value }) => value),
    loaders: radios.loader.map(({ value }) => value),
  };
  const rows = new Map(
    [...part('builds-rows').children].map((row) => [(row as HTMLElement).dataset.build, row]),
  );
  const asked = new URLSearchParams(location.search);
  const chosen = preselected(
    offer,
    { game: asked.get('version'), loader: asked.get('loader') },
    { ...remembered(), ...narrowedTo(offer, [asked, queryBefore()]) },
  );
  updateTimes(part('builds-rows'));
  if (!chosen) return { reveal() {} };
  const pair: Pair = chosen;
  const all = form.querySelector<HTMLInputElement>('[data-all]');
  const find = part<HTMLInputElement>('find-game');
  const unfold = form.querySelector<HTMLButtonElement>('[data-unfold]');
  const radio = (name: Part, value: string) => radios[name].find((one) => one.value === value)!;
  const names = () => ({ game: pair.game, loader: nameOf(radio('loader', pair.loader)) });

  function explain(name: Part): void {
    const known = { [other[name]]: pair[other[name]] };
    for (const input of radios[name]) {
      const why = whyNot(builds, { [name]: input.value }, known);
      const text =
        why &&
        t(why === 'no_build' ? 'download.no_build' : 'download.not_together', { name: names()[other[name]] });
      const label = input.closest<HTMLElement>('.opt')!;
      label.classList.toggle('no', why !== null);
      label.querySelector('[data-why]')!.textContent = text ?? '';
    }
  }

  /**
   * Filters the game versions by the typed text; snapshots, and versions newer than every build, on request only; always
   * the selected one.
   */
  function narrow(): void {
    const text = find.value.trim().toLowerCase();
    const isFolded = unfold?.ariaExpanded === 'false';
    let some = false;
    if (unfold) unfold.hidden = !isFolded || !!text;
    for (const input of radios.game) {
      const label = input.closest<HTMLElement>('.opt')!;
      const requested = text
        ? input.value.toLowerCase().includes(text)
        : (!('snapshot' in label.dataset) || all?.checked) && !('newer' in label.dataset && isFolded);
      label.hidden = !(requested || (!text && input.checked));
      some ||= !label.hidden;
    }
    part('no-match').hidden = some;
  }

  function answer(): void {
    const found = answerOf(builds, pair);
    part('answer').replaceChildren(...found.map(({ id }) => rows.get(id)!));
    for (const [place, { id }] of found.entries())
      rows
        .get(id)!
        .querySelector('[data-get]')!
        .classList.toggle('primary', place === 0);
    part('said').textContent = t('download.found', { count: found.length, ...names() });
    part('none').hidden = found.length > 0;
    if (found.length > 0) return;
    part('nothing').textContent = t('download.none', names());
    for (const name of ['game', 'loader'] as const) {
      const way = completed(offer, { [other[name]]: pair[other[name]] });
      const button = form.querySelector<HTMLButtonElement>(`[data-take=${name}]`)!;
      button.hidden = !way;
      if (!way) continue;
      button.value = way[name];
      button.textContent = t('download.take', { name: nameOf(radio(name, way[name])) });
    }
  }

  function show(): void {
    radio('game', pair.game).checked = true;
    radio('loader', pair.loader).checked = true;
    explain('game');
    explain('loader');
    narrow();
    answer();
  }

  function choose(name: Part, value: string): void {
    pair[name] = value;
    show();
    remember(pair);
    const query = new URLSearchParams(location.search);
    query.set('version', pair.game);
    query.set('loader', pair.loader);
    history.replaceState(history.state, '', `?${query}${location.hash}`);
  }

  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    if (name === 'game' || name === 'loader') choose(name, value);
    else narrow();
  });
  find.addEventListener('input', narrow);
  find.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const typed = find.value.trim().toLowerCase();
    const shown = radios.game.filter((input) => !input.closest<HTMLElement>('.opt')!.hidden);
    // 1.21.1 is also the beginning of 1.21.11
    const best = shown.find(({ value }) => value.toLowerCase() === typed) ?? shown[0];
    if (typed && best) choose('game', best.value);
  });
  unfold?.addEventListener('click', () => {
    unfold.ariaExpanded = 'true';
    narrow();
    radios.game[0]!.focus();
  });
  form.addEventListener('click', ({ target }) => {
    const take = (target as Element).closest<HTMLButtonElement>('[data-take]');
    if (take) {
      choose(take.dataset.take as Part, take.value);
      form.querySelector<HTMLElement>('[data-answer] [data-get]')?.focus();
    }
    const got = (target as Element).closest<HTMLElement>('[data-get]');
    if (!got) return;
    part('said').textContent = t('download.begun', { file: got.dataset.get! });
    got.classList.add('got-it');
    setTimeout(() => got.classList.remove('got-it'), confirmed_ms);
  });

  if (all)
    all.checked = radios.game.every((input) => 'snapshot' in input.closest<HTMLElement>('.opt')!.dataset);
  const isNewer = 'newer' in radio('game', pair.game).closest<HTMLElement>('.opt')!.dataset;
  if (unfold) unfold.ariaExpanded = String(isNewer);
  show();
  return {
    reveal() {
      if (!form.contains(document.activeElement)) radio('game', pair.game).focus({ preventScroll: true });
      for (const name of ['game', 'loader'] as const) {
        const label = radio(name, pair[name]).closest<HTMLElement>('.opt')!;
        const list = label.parentElement!;
        list.scrollTop = label.offsetTop - list.clientHeight / 2 + label.clientHeight / 2;
      }
    },
  };
}

/** The query of the page that led here, when it is one of this site: browsers tell no other. */
function queryBefore(): URLSearchParams {
  const before = document.referrer === '' ? null : new URL(document.referrer);
  return before?.origin === location.origin ? before.searchParams : new URLSearchParams();
}

const optionsOf = (form: HTMLFormElement, name: Part): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>(`input[name=${name}]`),
];
const nameOf = (input: HTMLInputElement): string => input.closest('.opt')!.querySelector('bdi')!.textContent!;
