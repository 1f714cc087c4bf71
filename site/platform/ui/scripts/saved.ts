import { $viewer } from '../../browser/current-user.store.ts';

/**
 * Fills the bookmarks of the projects in the user's collections, wherever they stand: a style sheet of its own also reaches what
 * a search shows later. Loaded for whoever has saved something, where it can be shown.
 */
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

$viewer.subscribe((viewer) => {
  const bookmarks = viewer?.saved.map((id) => `[data-save="${CSS.escape(id)}"] .i`).join();
  sheet.replaceSync(bookmarks ? `${bookmarks}{fill:currentColor}` : '');
});
