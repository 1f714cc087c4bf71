import { codeToHtml } from 'shiki';
import { codeClasses, codeTheme } from '../../../platform/static-pages/code-theme.ts';

const made = new Map<string, Promise<string>>();

/** Code as highlighted HTML, as articles and handbooks have it; the same text is highlighted once a build. */
export function highlighted(code: string, lang: 'sh' | 'js' | 'json'): Promise<string> {
  const key = `${lang}\n${code}`;
  const html = made.get(key) ?? codeToHtml(code, { lang, theme: codeTheme, transformers: [codeClasses] });
  made.set(key, html);
  return html;
}
