import { exactNumber } from '../text/format.ts';
import { type Chip, chipsOf, valueName } from './chips.ts';
import { namesOf } from './groups.ts';
import { hitCard } from './hit-card.ts';
import type { RelaxSuggestion } from './relax-suggestions.ts';
import type { SearchPage } from './search.server.ts';
import { addressOf, cleared, isFiltered, lastPage, type SearchState } from './state.ts';
import { foundPieces, foundText, type ResultPage, titleOf } from './titles.ts';
import type { ChipView, NoteView, NothingView, View } from './view.ts';

/** The view of `found`; `hl` is the language in the address. */
export function buildView(page: ResultPage, found: SearchPage, hl: string | null): View {
  const { messages, t } = page;
  const { kind, state, hits, total } = found;
  const to = (next: SearchState) => addressOf(kind.path, next, hl);
  const pages = lastPage(total, state.size);
  const turned = (number: number) => (number >= 1 && number <= pages ? to({ ...state, page: number }) : null);
  const first = (state.page - 1) * state.size;
  const displayed = (number: number) => exactNumber(messages, number);
  return {
    title: titleOf(messages, kind, state),
    address: to(state),
    showing: t('search.show_found', { found: foundText(messages, kind, total) }),
    notes: notesOf(page, found, to),
    chips: chipsOf(messages, namesOf(messages, kind.type), state).map((chip) => chipView(page, chip, to)),
    cleared: isFiltered(state) ? to(cleared(state)) : null,
    count: foundPieces(messages, kind, total),
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

type To = (state: SearchState) => string;

function chipView({ t }: ResultPage, { name, out, without }: Chip, to: To): ChipView {
  const text = out ? t('search.not', { name }) : name;
  return { text, label: t('search.remove', { name: text }), href: to(without), out };
}

function notesOf(
  { t, messages }: ResultPage,
  { kind, state, notes, beyond }: SearchPage,
  to: To,
): NoteView[] {
  const names = namesOf(messages, kind.type);
  const list = new Intl.ListFormat(messages.formatting, { type: 'conjunction' });
  const text: NoteView[] = notes.both.map(({ list: name, value, instead }) => ({
    text: t('search.both', { name: valueName(messages, names, name, value) }),
    link: { text: t('search.want_instead'), href: to(instead) },
  }));
  if (beyond !== null)
    text.unshift({ text: t('search.beyond', { page: String(beyond), last: String(state.page) }) });
  if (notes.ignored.length > 0)
    text.push({
      text: t('search.ignored'),
      code: list.format(notes.ignored),
      ...(notes.more > 0 ? { more: t('search.ignored_more', { count: notes.more }) } : {}),
      link: { text: t('search.tidy'), href: to(state) },
    });
  if (notes.cut) text.push({ text: t('search.cut', { count: 12 }) });
  return text;
}

/** The empty state: which filters to remove and how many results that gives, or other types with results. */
function nothingOf({ t, messages, link }: ResultPage, found: SearchPage, to: To): NothingView {
  const { kind, state, loosen, elsewhere } = found;
  const names = namesOf(messages, kind.type);
  const list = new Intl.ListFormat(messages.formatting, { type: 'disjunction' });
  const labels = state.text.trim();
  const without = ({ what, values }: RelaxSuggestion): string => {
    if (what === 'all') return t('search.without_filters');
    if (what === 'text') return t('search.without_words', { words: labels });
    if (what === 'open_source') return t('search.without', { name: t('search.open_source') });
    const name = list.format(values.map((value) => valueName(messages, names, what, value)));
    return what.startsWith('not_') ? t('search.with_again', { name }) : t('search.without', { name });
  };
  const why = labels ? t('search.none_called') : t('search.none_yet');
  return {
    title: t('search.none'),
    text: isFiltered(state) ? t('search.none_filtered') : why,
    ways: loosen.map((one) => ({
      text: without(one),
      href: to(one.state),
      count: foundText(messages, kind, one.total),
    })),
    elsewhere:
      elsewhere.length === 0
        ? null
        : {
            text: t('search.elsewhere'),
            ways: elsewhere.map(({ kind: other, total }) => ({
              text: foundText(messages, other, total),
              href: link(`${other.path}?${new URLSearchParams({ q: labels })}`),
            })),
          },
  };
}
