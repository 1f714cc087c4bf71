/** The package ships no types under its name. */
declare module 'astro-i18next' {
  /** `path` with the language in front; the default language has none. */
  export function localizePath(path: string, locale: string): string;
  /** The tag of the language in front of `path`; without one, the default. */
  export function detectLocaleFromPath(path: string): string;
}
