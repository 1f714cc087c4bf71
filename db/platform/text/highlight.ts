import type { LanguageFn } from 'highlight.js';
import gradle from 'highlight.js/lib/languages/gradle';
import groovy from 'highlight.js/lib/languages/groovy';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import properties from 'highlight.js/lib/languages/properties';
import python from 'highlight.js/lib/languages/python';
import scala from 'highlight.js/lib/languages/scala';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const grammars = {
  gradle,
  groovy,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  properties,
  python,
  scala,
  xml,
  yaml,
};

/** Aliases of the languages. Source: specification §5 (Highlight languages). */
export const aliases: Record<string, string[]> = {
  ini: ['toml'],
  javascript: ['js'],
  json: ['json5'],
  kotlin: ['kt'],
  python: ['py'],
  xml: ['html', 'htm', 'xhtml', 'mcui', 'fxml'],
  yaml: ['yml'],
};

/** The highlighted languages, without the aliases that their grammars define. */
export const languages: Record<string, LanguageFn> = Object.fromEntries(
  Object.entries(grammars).map(([name, grammar]) => [
    name,
    (hljs: Parameters<LanguageFn>[0]) => Object.assign(grammar(hljs), { aliases: [] }),
  ]),
);
