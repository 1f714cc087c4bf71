import type { Db } from '../postgres/sql.ts';
import type { Rendered } from './rendered.ts';

/** A rendered text with its revision, its position in order of arrival. */
export interface RevisedText extends Rendered {
  revision: number;
}

/**
 * Takes the next revision, renders the text, and gives both. The write that stores it keeps a text with a higher
 * revision, which arrived later.
 */
export async function revised(db: Db, render: () => Promise<Rendered>): Promise<RevisedText> {
  const [row] = await db<Array<{ revision: number }>>`select nextval('text_revisions') as revision`;
  return { ...(await render()), revision: row!.revision };
}
