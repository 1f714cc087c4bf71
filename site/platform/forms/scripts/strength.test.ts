import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const leaked = 'This password is in lists of leaked passwords.';
const { document, Event } = parseHTML(`<!doctype html><body><form>
  <input name="password" value="password1"><span data-wrong="password"></span>
  <div data-strength="password" hidden><span data-advice></span></div></form></body>`);
const at = (selector: string) => document.querySelector<HTMLElement>(selector)!;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('document', document);
  vi.stubGlobal('fetch', async () => Response.json({ score: 0, text: leaked }));
  await import('./strength.ts');
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['', leaked],
  [leaked, ''],
  ['Use 8 to 256 characters.', leaked],
])('what the field says already (%j) is not said again as advice', async (wrong, advice) => {
  delete at('[data-strength]').dataset.score;
  at('[data-wrong]').textContent = wrong;
  at('input').dispatchEvent(new Event('input', { bubbles: true }));
  await vi.advanceTimersByTimeAsync(350);
  await vi.waitFor(() => expect(at('[data-strength]').dataset.score).toBe('0'));
  expect(at('[data-advice]').textContent).toBe(advice);
});

it('advice that was given before the form was refused for the same is taken back', async () => {
  at('[data-wrong]').textContent = '';
  at('input').dispatchEvent(new Event('input', { bubbles: true }));
  await vi.advanceTimersByTimeAsync(350);
  await vi.waitFor(() => expect(at('[data-advice]').textContent).toBe(leaked));
  at('[data-wrong]').textContent = leaked;
  at('form').dispatchEvent(new Event('form:refused', { bubbles: true }));
  expect(at('[data-advice]').textContent).toBe('');
});
