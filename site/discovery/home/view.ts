/** A project as one short line, localized. */
export interface CompactProjectView {
  id: string;
  href: string;
  title: string;
  description: string;
  icon: string | null;
  /** The words of the button that saves it to a collection. */
  save: string;
  /** The value at its end and its tooltip; `at` and its `relativeStep` when it is a time. */
  figure: { text: string; tip: string; at?: string; step?: string };
}

/** The view of the quick search: total, first results, link to all. */
export interface QuickSearchView {
  count: string;
  none: string | null;
  hits: CompactProjectView[];
  more: { text: string; href: string };
}
