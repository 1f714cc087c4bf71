import type { CommandName } from './commands.ts';

/** A button of the editor: its command, and its shortcut as the editor names it (`Mod` is Ctrl, or Command on a Mac). */
interface EditorButton {
  name: CommandName | 'upload';
  key: string;
}

/** The toolbar, in order; a gap stands between groups. Shortcuts that browsers or layouts of keyboards need are left out. */
export const buttonGroups: ReadonlyArray<readonly EditorButton[]> = [
  [
    { name: 'bold', key: 'Mod-b' },
    { name: 'italic', key: 'Mod-i' },
    { name: 'strike', key: 'Mod-Shift-x' },
  ],
  [
    { name: 'heading', key: 'Mod-Shift-h' },
    { name: 'quote', key: 'Mod-Shift-9' },
    { name: 'list', key: 'Mod-Shift-8' },
    { name: 'numbered', key: 'Mod-Shift-7' },
    { name: 'task', key: 'Mod-Shift-6' },
  ],
  [
    { name: 'code', key: 'Mod-e' },
    { name: 'link', key: 'Mod-k' },
    { name: 'image', key: 'Mod-Shift-e' },
    { name: 'table', key: 'Mod-Shift-5' },
    { name: 'upload', key: 'Mod-Shift-u' },
  ],
];

/** The shortcut as people read it: `Ctrl+Shift+X`. */
export const shownKey = (key: string, control = 'Ctrl'): string =>
  key
    .split('-')
    .map((part) => (part === 'Mod' ? control : part.length === 1 ? part.toUpperCase() : part))
    .join('+');
