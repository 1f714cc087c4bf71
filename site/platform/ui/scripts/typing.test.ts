import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isTyping } from './typing.ts';

const { document, Element } = parseHTML(`<!doctype html><body>
  <p id="text">Text</p><input id="field"><select id="choice"></select><textarea id="area"></textarea>
  <div id="editable" contenteditable="true"><p id="line">Line</p></div><div id="host"></div></body>`);
beforeAll(() => void vi.stubGlobal('Element', Element));
afterAll(() => void vi.unstubAllGlobals());

const at = (id: string) => document.getElementById(id)!;
/** A key in `inner`, seen from the document, which knows its host only when that stands in a shadow root. */
const key = (inner: unknown, target: unknown = inner) =>
  ({ target, composedPath: () => [inner, target, document] }) as unknown as Event;

it.each(['field', 'choice', 'area', 'editable', 'line'])('a key in #%s is typed', (id) => {
  expect(isTyping(key(at(id)))).toBe(true);
});

it('a key in an editor is typed, although outside of its shadow root only its host is seen', () => {
  expect(isTyping(key(at('line'), at('host')))).toBe(true);
});

it('a key anywhere else is none, on the document itself either', () => {
  expect(isTyping(key(at('text')))).toBe(false);
  expect(isTyping(key(at('host')))).toBe(false);
  expect(isTyping(key(document))).toBe(false);
});
