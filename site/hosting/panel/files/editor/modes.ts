import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import type { EditorMode } from '../file-kind.ts';

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
export async function coloring(mode: EditorMode): Promise<Extension> {
  if (mode === 'plain') return [];
  return [StreamLanguage.define(await parsers[mode]()), syntaxHighlighting(colors)];
}
