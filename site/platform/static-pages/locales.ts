import { defaultLanguage, languages } from '../text/languages.ts';

/** The first part of the paths under which a page is prerendered: one for each language, none for the default. */
export interface LocaleParams {
  locale: string | undefined;
}

/** `params` of `getStaticPaths` of a page that exists in every language. */
const localeParams: readonly LocaleParams[] = languages.map(({ tag }) => ({
  locale: tag === defaultLanguage.tag ? undefined : tag,
}));

/** `getStaticPaths` of a page without parameters of its own. */
export const inEveryLanguage = (): Array<{ params: LocaleParams }> =>
  localeParams.map((params) => ({ params }));

/** `getStaticPaths` of a page with parameters: each of `pages` in every language. */
export const eachInEveryLanguage = <Params extends Record<string, string>, Props>(
  pages: ReadonlyArray<{ params: Params; props: Props }>,
): Array<{ params: Params & LocaleParams; props: Props }> =>
  localeParams.flatMap((locale) =>
    pages.map(({ params, props }) => ({ params: { ...params, ...locale }, props })),
  );
