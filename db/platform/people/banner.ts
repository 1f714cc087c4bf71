import type { ReadContext } from '../read-context.ts';
import { mediaUrlOrNull } from '../storage/url.ts';

/** The URL of a user's banner (of its smallest copy); null without one. */
export async function bannerOf({ sql, settings }: ReadContext, user_id: string): Promise<string | null> {
  const [row] = await sql<Array<{ banner_key: string | null }>>`
    select banner_key from users where id = ${user_id}`;
  return mediaUrlOrNull(settings, row?.banner_key ?? null);
}
