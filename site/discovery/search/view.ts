/**
 * The view of search results, fully localized: built once on the server (`build-view.ts`), rendered alike there and in
 * browsers (`Results.tsx`), so that browsers load no message catalog.
 */
export interface View {
  title: string;
  /** The address of this view. */
  address: string;
  /** The label of the button that closes the filters. */
  showing: string;
  /** The project types, in display order. */
  tabs: TabView[];
  /** How many projects each filter option gives. */
  counts: CountsView;
  notes: NoteView[];
  /** The heading of the notices. */
  noted: string;
  chips: ChipView[];
  /** The address without any filter; null when none is active. */
  cleared: string | null;
  /** The count: before the number, the number, after it. */
  count: [before: string, number: string, behind: string];
  /** The adjacent pages, null when there is only one page. */
  turn: { previous: string | null; next: string | null } | null;
  hits: HitView[];
  nothing: NothingView | null;
  /** The visible range. */
  part: string;
  pages: { page: number; pages: number; address: string };
}

export interface LinkView {
  text: string;
  href: string;
}

/** One project type: how many projects it has, for the words if there are any. */
export interface TabView {
  count: string;
  none: boolean;
}

export interface CountsView {
  /** Zero as the language writes it. */
  none: string;
  /** Counts by form field and value; a value that is not there gives none, an empty text is not known. */
  fields: Record<string, Record<string, string>>;
}

/** What the search ignored or understood, with a suggestion. */
export interface NoteView {
  text: string;
  /** The value as written. */
  code?: string;
  more?: string;
  link?: LinkView;
  /** Where nothing went wrong: words that became filters, the nearest words. */
  kind?: 'recognized' | 'nearest';
}

/** An active filter; its link removes it. */
export interface ChipView extends LinkView {
  label: string;
  out: boolean;
}

export interface HitView {
  id: string;
  href: string;
  title: string;
  author: LinkView;
  description: string;
  categories: string[];
  /** Without those that say no more than the type of the page. */
  loaders: string[];
  downloads: string;
  follows: string;
  when: { at: string; exact: string; relative: string };
  icon: string | null;
  picture: string | null;
  /** `#rrggbb`, the placeholder color until the image is loaded. */
  tint: string | null;
  /** Whether its image is likely visible at once. */
  eager: boolean;
}

export interface NothingView {
  title: string;
  text: string;
  /** What to remove, and how many results that gives. */
  ways: Array<LinkView & { count: string }>;
  /** Types and categories that the words name, and other types with results for them. */
  elsewhere: { text: string; ways: LinkView[] } | null;
}
