import { markEnglish } from '#content/mark-english.ts';
import { englishTexts } from '#content/messages.ts';

/**
 * The page with `lang="en"` where its language lacks a text. Such a page is sent when all of it is rendered; pages in a
 * language that lacks nothing, and what is no HTML, are returned as they are.
 */
export async function withEnglishMarked(
  page: Response,
  locale: string,
  english = englishTexts(locale),
): Promise<Response> {
  const type = page.headers.get('content-type') ?? '';
  if (english.isEmpty || !page.body || !type.startsWith('text/html')) return page;
  const html = markEnglish(await page.text(), { locale, isEnglish: (text) => english.has(text) });
  return new Response(html, { status: page.status, headers: page.headers });
}
