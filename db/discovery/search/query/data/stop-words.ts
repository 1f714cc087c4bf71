/**
 * Words that say nothing about a project, by language: a query with other words is searched without them. Not in the
 * list: words that mean something in another of the languages, such as German "die", "den" and "für" (an English fur).
 */
export const stopWords = {
  en: `a an and are at be by for from in is it its my of on or that the this to with you your minecraft mc`,
  de: `das dem der ein eine einem einen einer im mein meine mit oder und von vom zu zum zur`,
  ar: `في من على إلى عن مع أو هذا هذه ماينكرافت`,
} as const;
