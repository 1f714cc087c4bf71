import type { Settings } from '#db/platform/runtime/env.ts';

/** The settings whose value may stand in a page that is prerendered: texts and addresses. */
export type TextSetting = {
  [Name in keyof Settings]-?: NonNullable<Settings[Name]> extends string ? Name : never;
}[keyof Settings];

/** Stands for the value of a setting, or for the build id, until a page is served. */
export const token = (name: TextSetting | 'BUILD'): string => `{{${name}}}`;

/** Stands for the language in links of pages whose address names it (`?hl=`). */
export const hl_token = '{{hl}}';

/** Whether a setting counts as given: a value other than `off`. */
export const isGiven = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value !== 'off';

/** `html`, shown only while the setting is given. */
export const when = (name: TextSetting, html: string): string =>
  `<!--when ${name}-->${html}<!--/when ${name}-->`;

/** `html`, shown only while the setting is not given. */
export const unless = (name: TextSetting, html: string): string =>
  `<!--unless ${name}-->${html}<!--/unless ${name}-->`;

const condition = /<!--\s*(when|unless) ([A-Z_]+)\s*-->([\s\S]*?)<!--\s*\/\1 \2\s*-->/g;
const value = /\{\{([A-Z_]+)\}\}/g;
/** `link()` adds `hl` at the end of an address, before a fragment. */
const language = /(?:\?|&amp;|&#38;|&)hl=\{\{hl\}\}/g;

const escapes = {
  html: (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  json: (text: string) => JSON.stringify(text).slice(1, -1),
};

/**
 * A prerendered file with the settings of this process filled in: `{{NAME}}`, `<!--when NAME-->…<!--/when NAME-->` and
 * `unless`, and `hl` kept on links when the requested address names a language. Values are escaped for the file's format.
 */
export function fill(
  text: string,
  {
    settings,
    build,
    hl,
    format,
  }: {
    settings: Partial<Settings>;
    build: string;
    /** The language that the address names. */
    hl: string | null;
    format: keyof typeof escapes;
  },
): string {
  const given = (name: string): unknown => (name === 'BUILD' ? build : settings[name as keyof Settings]);
  let filled = text;
  for (let before = ''; before !== filled; ) {
    before = filled;
    filled = filled.replace(condition, (_, kind: string, name: string, inner: string) =>
      isGiven(given(name)) === (kind === 'when') ? inner : '',
    );
  }
  return filled
    .replace(language, (link) => (hl ? link.replace(hl_token, encodeURIComponent(hl)) : ''))
    .replace(value, (_, name: string) => {
      const found = given(name);
      return typeof found === 'string' ? escapes[format](found) : '';
    });
}
