import type { Db } from '../sql.ts';
import type { Rendered } from './rendered.ts';

/** A rendered text with its place among the texts that arrived to be saved. */
export interface RevisedText extends Rendered {
  revision: number;
}

/**
 * Takes the next revision, renders the text, and gives both. The verb that stores the text leaves one of a higher
 * revision as it is: that one arrived later.
 */
export async function revised(db: Db, render: () => Promise<Rendered>): Promise<RevisedText> {
  const [row] = await db<Array<{ revision: number }>>`select nextval('text_revisions') as revision`;
  return { ...(await render()), revision: row!.revision };
}
