import { indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightActiveLineGutter, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { createCodeMirror } from '../../../../platform/editor/scripts/code-mirror.ts';
import type { PageMessages } from '../../../../platform/text/MessagesContext.tsx';
import type { EditorMode } from '../file-kind.ts';

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--sunken)', blockSize: '100%' },
  '.cm-line': { padding: '0 0.75rem', unicodeBidi: 'normal', textAlign: 'left' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink-3)',
    border: '0',
    paddingInlineStart: '0.5rem',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderColor: 'var(--ink)' },
  '.cm-selectionMatch, .cm-searchMatch, .cm-matchingBracket': {
    backgroundColor: 'var(--select)',
    color: 'var(--ink)',
  },
  // the colors of the language lie inside; those of comments are hard to read on this ground
  '.cm-selectionMatch *, .cm-searchMatch *, .cm-matchingBracket *': { color: 'var(--ink)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--mark)' },
  '.cm-matchingBracket': { outline: 'none' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '0.5rem 0.75rem', font: 'var(--t-s) var(--font-text)' },
  '.cm-panel.cm-search label': { fontSize: 'inherit', display: 'inline-flex', alignItems: 'center' },
  '.cm-panel.cm-search [name=close]': { fontSize: '1.125rem', inlineSize: '1.75rem', blockSize: '1.75rem' },
  '.cm-textfield': {
    background: 'var(--field)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r-s)',
  },
  '.cm-button': {
    ...{ background: 'var(--surface)', border: '1px solid var(--line-2)', borderRadius: 'var(--r-m)' },
    ...{ color: 'var(--ink)', fontSize: 'inherit', padding: '0.25rem 0.625rem', minBlockSize: '1.75rem' },
  },
});

/** The words of CodeMirror's search, by its English ones. */
const phrases = {
  Find: 'server_files.find',
  Replace: 'server_files.find_replace',
  next: 'server_files.find_next',
  previous: 'server_files.find_previous',
  all: 'server_files.find_all',
  'match case': 'server_files.find_case',
  regexp: 'server_files.find_pattern',
  'by word': 'server_files.find_word',
  replace: 'server_files.find_replace_one',
  'replace all': 'server_files.find_replace_all',
  close: 'servers.close',
  'Go to line': 'server_files.find_line',
  go: 'server_files.find_go',
} as const;

interface Given {
  parent: HTMLElement;
  text: string;
  mode: EditorMode;
  name: string;
  messages: PageMessages;
  save(): void;
  /** After every change of the text or the place of the cursor. */
  updated(view: EditorView): void;
}

/** The editor for a file of a server. */
export async function codeView({
  parent,
  text,
  mode,
  name,
  messages,
  save,
  updated,
}: Given): Promise<EditorView> {
  const { t } = messages;
  const color = await coloring(mode);
  return createCodeMirror({
    parent,
    doc: text,
    label: t('server_files.content_of', { name }),
    help: t('server_files.editor_help'),
    keys: [
      {
        key: 'Mod-s',
        preventDefault: true,
        run: () => {
          save();
          return true;
        },
      },
      ...searchKeymap,
      indentWithTab,
    ],
    writing: { spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' },
    extensions: [
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      bracketMatching(),
      indentOnInput(),
      search({ top: true }),
      EditorState.phrases.of(
        Object.fromEntries(Object.entries(phrases).map(([word, key]) => [word, t(key)])),
      ),
      EditorState.tabSize.of(4),
      color,
      theme,
      EditorView.updateListener.of((update) => {
        if (update.docChanged || update.selectionSet) updated(update.view);
      }),
    ],
  });
}

/** Each is loaded when a file of its kind is opened. */
const parsers: Record<Exclude<EditorMode, 'plain'>, () => Promise<StreamParser<unknown>>> = {
  json: async () => (await import('@codemirror/legacy-modes/mode/javascript')).json as StreamParser<unknown>,
  yaml: async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml as StreamParser<unknown>,
  toml: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml as StreamParser<unknown>,
  properties: async () =>
    (await import('@codemirror/legacy-modes/mode/properties')).properties as StreamParser<unknown>,
  sh: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell as StreamParser<unknown>,
};

const colors = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--ink-3)' },
  { tag: [tags.propertyName, tags.definition(tags.name), tags.keyword, tags.heading], color: 'var(--note)' },
  { tag: [tags.string, tags.quote], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.variableName, tags.standard(tags.name)], color: 'var(--accent-ink)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

/** How a kind of file is colored. */
async function coloring(mode: EditorMode): Promise<Extension> {
  if (mode === 'plain') return [];
  return [StreamLanguage.define(await parsers[mode]()), syntaxHighlighting(colors)];
}
