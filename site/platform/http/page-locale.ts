import { pageLocaleHeader } from '../paths/page-locale-header.ts';
import { negotiate } from '../text/languages.ts';
import { cookie } from './cookies.ts';

/** The language of the page that sent a form, or of the caller: for the mails that follow from it. */
export const pageLocale = (request: Request, { hl }: { hl?: string | undefined } = {}): string =>
  negotiate({
    hl: request.headers.get(pageLocaleHeader) ?? hl ?? null,
    cookie: cookie(request, 'locale'),
    accept: request.headers.get('accept-language'),
  }).tag;
