import { $viewer } from '../../browser/current-user.store.ts';

/**
 * Fills the bookmarks of the projects in the user's collections, wherever they stand: a style sheet of its own also reaches what
 * a search shows later. Loaded for whoever has saved something.
 */
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
const saved = new Set<string>();

const show = () => {
  const bookmarks = [...saved].map((id) => `[data-save="${CSS.escape(id)}"] .i`);
  sheet.replaceSync(bookmarks.length > 0 ? `${bookmarks.join(',')}{fill:currentColor}` : '');
};

$viewer.subscribe((viewer) => {
  if (!viewer) return;
  saved.clear();
  for (const id of viewer.saved) saved.add(id);
  show();
});

/** Shows that a project was saved or removed from the last collection. */
export function markSaved(id: string, is_saved: boolean): void {
  if (is_saved) saved.add(id);
  else saved.delete(id);
  show();
}
