/**
 * What a search screen shows of what it found, in finished words: made once on the server (`build-view.ts`), drawn alike
 * there and in browsers (`Results.tsx`), so that no catalogue of words travels.
 */
export interface View {
  title: string;
  /** Where this is shown. */
  address: string;
  /** What the button says that closes the filters. */
  showing: string;
  notes: NoteView[];
  chips: ChipView[];
  /** Where every filter is taken away; null when there is none. */
  cleared: string | null;
  /** How many: what stands before the number, the number, what stands behind. */
  count: [before: string, number: string, behind: string];
  /** The pages next to this one, null when there is but one page. */
  turn: { previous: string | null; next: string | null } | null;
  hits: HitView[];
  nothing: NothingView | null;
  /** Which part of all one sees. */
  part: string;
  pages: { page: number; pages: number; address: string };
}

interface LinkView {
  text: string;
  href: string;
}

/** What of the address could not be followed, and the sensible next step. */
export interface NoteView {
  text: string;
  /** What was written. */
  code?: string;
  more?: string;
  link?: LinkView;
}

/** An active filter; its link takes it away. */
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
  tags: string[];
  downloads: string;
  follows: string;
  when: { at: string; exact: string; relative: string };
  icon: string | null;
  picture: string | null;
  /** `#rrggbb`, what stands in the place of a picture until it is there. */
  tint: string | null;
  /** Whether its picture is likely seen at once. */
  eager: boolean;
}

export interface NothingView {
  title: string;
  text: string;
  /** What to take away, and how many there would be. */
  ways: Array<LinkView & { count: string }>;
  /** Kinds that have something for the words. */
  elsewhere: { text: string; ways: LinkView[] } | null;
}

/** Words that stay the same whatever is found. */
export const labelKeys = [
  'search.active',
  'search.clear',
  'search.results',
  'search.noted',
  'search.by',
  'search.downloads',
  'search.follows',
  'search.loosen',
  'search.kinds',
  'search.turn',
  'shell.pages',
  'shell.page',
  'shell.previous',
  'shell.next',
] as const;
export type Labels = Record<(typeof labelKeys)[number], string>;
