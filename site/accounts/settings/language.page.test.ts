import { expect, test } from 'vitest';
import type { Page } from '../../testing/page.ts';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const titleOf = (page: Page) => page.text(page.one('heading', { level: 1 }));

test('Arabic is right-to-left, with its own texts and the same addresses', async () => {
  let page = await site.open('/mods?hl=ar-SA');
  const { documentElement: html } = page.document;
  expect([html.getAttribute('dir'), html.getAttribute('lang')]).toEqual(['rtl', 'ar-SA']);
  expect(titleOf(page)).toBe('تعديلات');
  page = await site.open('/settings/language?hl=ar-SA');
  expect(page.one('radio', { name: /السعودية/ }).getAttribute('aria-checked')).toBe('true');
  page = await page.follow(page.all('link', { name: 'العرض' })[0]!);
  expect(page.url).toBe('/settings?hl=ar-SA');
});

test('a language can be chosen without scripts, and stays on links', async () => {
  let page = await site.open('/settings/language');
  page = await page.submit(page.one('radio', { name: /Deutsch \(Deutschland/ }));
  expect(page.url).toBe('/settings/language?hl=de-DE');
  expect(titleOf(page)).toBe('Sprache');
  page = await page.follow(page.all('link', { name: 'Darstellung' })[0]!);
  expect(titleOf(page)).toBe('Darstellung');
});
