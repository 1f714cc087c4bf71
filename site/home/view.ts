/** A project in one short line, in finished words. */
export interface CompactProjectView {
  id: string;
  href: string;
  title: string;
  description: string;
  icon: string | null;
  /** The figure at its end and what its tooltip says; `at` when it is a moment. */
  figure: { text: string; tip: string; at?: string };
}

/** What the small search of the home page found: how many, the first of them, the way on. */
export interface QuickSearchView {
  count: string;
  none: string | null;
  hits: CompactProjectView[];
  more: { text: string; href: string };
}
