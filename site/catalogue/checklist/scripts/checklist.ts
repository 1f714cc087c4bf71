import { isFormChanged } from '../../../platform/forms/scripts/is-changed.ts';

/**
 * Keeps what a settings page says about the publishing checklist true while somebody edits. Its rules are loaded with the
 * first edit, which may precede this script: the page comes with what they say of what is stored.
 */
const follow = async () => {
  const { showChecklists } = await import('./live-checklist.ts');
  setTimeout(showChecklists); // after a reset the fields are back only later
};

for (const kind of ['input', 'change', 'reset']) document.addEventListener(kind, follow);
if ([...document.forms].some(isFormChanged)) void follow();
