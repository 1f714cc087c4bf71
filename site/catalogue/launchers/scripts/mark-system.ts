import { systemOf } from '../detect-system.ts';

/** Marks the downloads for the visitor's system, and makes the most general of them the primary button. */
const system = systemOf(navigator);
const own = [...document.querySelectorAll<HTMLElement>(`[data-system="${system}"]`)];
for (const row of own) row.classList.add('own');
own.at(-1)?.querySelector('.btn')?.classList.add('primary');
