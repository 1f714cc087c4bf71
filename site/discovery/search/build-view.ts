import { projectTypes } from '../../platform/paths/project-types.ts';
import { exactNumber } from '../../platform/text/format.ts';
import { type Chip, chipsOf, valueName } from './chips.ts';
import { namesOf } from './groups.ts';
import { hitCard } from './hit-card.ts';
import { placePath } from './named-places.ts';
import type { RelaxSuggestion } from './relax-suggestions.ts';
import type { SearchPage } from './search.server.ts';
import type { FilterCounts } from './search-counts.server.ts';
import { addressOf, cleared, isFiltered, lastPage, type SearchState } from './state.ts';
import { foundPieces, foundText, type ResultPage, titleOf } from './titles.ts';
import type { ChipView, CountsView, LinkView, NoteView, NothingView, TabView, View } from './view.ts';

/** The view of `found`; `hl` is the language in the address. */
export function buildView(page: ResultPage, found: SearchPage, hl: string | null): View {
  const { messages, t } = page;
  const { kind, state, shown, hits, total } = found;
  const to = (next: SearchState) => addressOf(kind.path, next, hl);
  const pages = lastPage(total, shown);
  const turned = (number: number) => (number >= 1 && number <= pages ? to({ ...state, page: number }) : null);
  const first = (state.page - 1) * shown;
  const isNew = isNewSite(found);
  const displayed = (number: number) => exactNumber(messages, number);
  return {
    title: titleOf(page, kind, state),
    address: to(state),
    showing: t('search.show_found', { found: foundText(messages, kind, total) }),
    tabs: projectTypes.map(({ type }) => tabOf(page, isNew ? undefined : found.totals.get(type))),
    counts: countsView(page, found.counts, isNew ? '' : displayed(0)),
    ...noted(page, notesOf(page, found, to)),
    chips: chipsOf(messages, namesOf(messages, kind.type), state).map((chip) => chipView(page, chip, to)),
    cleared: isFiltered(state) ? to(cleared(state)) : null,
    count: isNew ? ['', '', ''] : foundPieces(messages, kind, total),
    turn: pages > 1 ? { previous: turned(state.page - 1), next: turned(state.page + 1) } : null,
    hits: hits.map((hit, position) => hitCard(page, { hit, kind, index: position, sort: state.sort })),
    nothing: hits.length > 0 ? null : nothingOf(page, found, to),
    part: t('search.part', {
      first: displayed(first + 1),
      last: displayed(first + hits.length),
      total: displayed(total),
    }),
    pages: {
      page: state.page,
      pages,
      address: to({ ...state, page: 7_777 }).replace('page=7777', 'page={page}'),
    },
  };
}

/** Whether there is nothing to find at all: instead of zeros, the page says how to begin. */
const isNewSite = ({ totals, state }: SearchPage): boolean =>
  projectTypes.every(({ type }) => totals.get(type) === 0) && !isFiltered(state) && !state.text.trim();

type To = (state: SearchState) => string;

const tabOf = ({ messages }: ResultPage, total: number | undefined): TabView => ({
  count: total === undefined ? '' : exactNumber(messages, total),
  none: total === 0,
});

const countsView = ({ messages }: ResultPage, counts: FilterCounts, none: string): CountsView => ({
  none,
  fields: Object.fromEntries(
    [...counts].map(([field, options]) => [
      field,
      Object.fromEntries(
        [...options]
          .filter(([, count]) => count !== 0)
          .map(([value, count]) => [value, count === null ? '' : exactNumber(messages, count)]),
      ),
    ]),
  ),
});

function chipView({ t }: ResultPage, { name, out, without }: Chip, to: To): ChipView {
  const text = out ? t('search.not', { name }) : name;
  return { text, label: t('search.remove', { name: text }), href: to(without), out };
}

/** The notices with their heading. */
function noted({ t }: ResultPage, notes: NoteView[]): Pick<View, 'notes' | 'noted'> {
  const only = (kind: NoteView['kind']) => notes.every((note) => note.kind === kind);
  const heading = only('nearest')
    ? 'search.noted_nearest'
    : only('recognized')
      ? 'search.noted_recognized'
      : 'search.noted';
  return { notes, noted: t(heading) };
}

function notesOf(
  { t, messages }: ResultPage,
  { kind, state, typed, notes, beyond, nearest }: SearchPage,
  to: To,
): NoteView[] {
  const names = namesOf(messages, kind.type);
  const list = new Intl.ListFormat(messages.formatting, { type: 'conjunction' });
  const text: NoteView[] = notes.both.map(({ list: name, value, instead }) => ({
    text: t('search.both', { name: valueName(messages, names, name, value) }),
    link: { text: t('search.want_instead'), href: to(instead) },
  }));
  if (typed !== null)
    text.unshift({
      text: t('search.recognized', { words: quoted(typed.text.trim()) }),
      link: { text: t('search.as_words'), href: to(typed) },
      kind: 'recognized',
    });
  if (nearest !== null)
    text.unshift({
      text: t('search.did_you_mean', { words: quoted(nearest.text) }),
      link: { text: t('search.search_for_it'), href: to(nearest) },
      kind: 'nearest',
    });
  if (beyond !== null)
    text.unshift({ text: t('search.beyond', { page: String(beyond), last: String(state.page) }) });
  const tidy = { text: t('search.tidy'), href: to(state) };
  if (notes.ignored.length > 0)
    text.push({
      text: t('search.ignored'),
      code: list.format(notes.ignored),
      ...(notes.more > 0 ? { more: t('search.ignored_more', { count: notes.more }) } : {}),
      ...(notes.unknown === 0 ? { link: tidy } : {}),
    });
  if (notes.unknown > 0) text.push({ text: t('search.unknown_parts', { count: notes.unknown }), link: tidy });
  if (notes.cut) text.push({ text: t('search.cut', { count: 12 }) });
  return text;
}

/** Letters of a query that messages repeat. */
const max_quoted = 80;
function quoted(words: string): string {
  const letters = [...words];
  return letters.length > max_quoted ? `${letters.slice(0, max_quoted).join('')}…` : words;
}

/** The empty state: what to remove and how many results that gives, and where else there are some. */
function nothingOf(page: ResultPage, found: SearchPage, to: To): NothingView {
  const { t, messages } = page;
  const { kind, state, loosen } = found;
  const names = namesOf(messages, kind.type);
  const list = new Intl.ListFormat(messages.formatting, { type: 'disjunction' });
  const words = state.text.trim();
  const query = quoted(words);
  const without = ({ what, values }: RelaxSuggestion): string => {
    if (what === 'everything') return t('search.clear');
    if (what === 'all') return t('search.without_filters');
    if (what === 'text') return t('search.without_words', { words: query });
    if (what === 'open_source') return t('search.without', { name: t('search.open_source') });
    const name = list.format(values.map((value) => valueName(messages, names, what, value)));
    return what.startsWith('not_') ? t('search.with_again', { name }) : t('search.without', { name });
  };
  const why = words ? t('search.none_called', { query }) : t('search.none_yet');
  const elsewhere = elsewhereOf(page, found, words);
  const isNew =
    projectTypes.every(({ type }) => found.totals.get(type) === 0) && !isFiltered(state) && !words;
  return {
    title: t(isNew ? 'home.nothing' : 'search.none'),
    text: isFiltered(state) ? t('search.none_filtered') : why,
    ways: loosen.map((one) => ({
      text: without(one),
      href: to(one.state),
      count: foundText(messages, kind, one.total),
    })),
    elsewhere: isNew
      ? begin(page)
      : elsewhere.length === 0
        ? null
        : { text: t('search.elsewhere'), ways: elsewhere },
  };
}

/** Where a site has no projects at all: how to publish one. */
const begin = ({ t, link }: ResultPage): NothingView['elsewhere'] => ({
  text: t('search.begin'),
  ways: [
    { text: t('search.begin_publish'), href: link('/dashboard/projects/new') },
    { text: t('search.begin_read'), href: link('/docs/creators/publish') },
  ],
});

/** The types and categories that the words name, then the other types with results for them, most first. */
function elsewhereOf({ t, messages, link }: ResultPage, found: SearchPage, words: string): LinkView[] {
  const named = found.places.filter(({ kind, category }) => category !== null || kind !== found.kind);
  const whole = new Set(named.filter(({ category }) => category === null).map(({ kind }) => kind));
  const others = projectTypes
    .map((kind) => ({ kind, total: found.totals.get(kind.type) ?? 0 }))
    .filter(({ kind, total }) => kind !== found.kind && !whole.has(kind) && total > 0)
    .sort((a, b) => b.total - a.total);
  const query = words ? `?${new URLSearchParams({ q: words })}` : '';
  return [
    ...named.map((place) => {
      const projects = foundText(messages, place.kind, place.count);
      return {
        text:
          place.category === null ? projects : t('search.category_found', { category: place.name, projects }),
        href: link(placePath(place)),
      };
    }),
    ...others.map(({ kind, total }) => ({
      text: foundText(messages, kind, total),
      href: link(`${kind.path}${query}`),
    })),
  ];
}
