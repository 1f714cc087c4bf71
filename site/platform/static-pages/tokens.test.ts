import { describe, expect, it } from 'vitest';
import { fill, hl_token, isGiven, token, unless, when } from './tokens.ts';

const settings = {
  SITE_URL: 'https://mods.example',
  CHAT_URL: 'https://chat.example/?a=1&b="2"',
  STAGING: 'off',
} as const;
const html = (text: string, hl: string | null = null) =>
  fill(text, { settings, build: 'abc', hl, format: 'html' });

describe('filling in a prerendered page', () => {
  it('puts in settings and the build id, escaped', () => {
    expect(
      html(`<p data-build="${token('BUILD')}" title="${token('CHAT_URL')}">${token('SITE_URL')}</p>`),
    ).toBe(
      '<p data-build="abc" title="https://chat.example/?a=1&#38;b=&#34;2&#34;">https://mods.example</p>',
    );
  });
  it('shows a part only while its setting is given', () => {
    expect(html(when('CHAT_URL', 'chat'))).toBe('chat');
    expect(html(when('STATUS_URL', 'status'))).toBe('');
    expect(html(when('STAGING', 'a copy'))).toBe('');
    expect(html(unless('CHAT_URL', 'no chat') + unless('STAGING', 'the real one'))).toBe('the real one');
    expect(html('<!-- unless STATUS_URL -->none<!-- /unless STATUS_URL -->')).toBe('none');
  });
  it('shows parts within parts', () => {
    expect(html(when('CHAT_URL', `a${when('STATUS_URL', 'b')}${when('SITE_URL', 'c')}`))).toBe('ac');
  });
  it('keeps the language of the address on links, or drops its place', () => {
    const links = `<a href="/mods?hl=${hl_token}"></a><a href="/mods?q=a&amp;hl=${hl_token}#b"></a><a href="/x?q=a&#38;hl=${hl_token}"></a>`;
    expect(html(links)).toBe('<a href="/mods"></a><a href="/mods?q=a#b"></a><a href="/x?q=a"></a>');
    expect(html(links, 'de-DE')).toBe(
      '<a href="/mods?hl=de-DE"></a><a href="/mods?q=a&amp;hl=de-DE#b"></a><a href="/x?q=a&#38;hl=de-DE"></a>',
    );
  });
  it('leaves nothing in the place of a setting that is not given', () => {
    expect(html(`[${token('STATUS_URL')}]`)).toBe('[]');
  });
  it('escapes for JSON in JSON', () => {
    expect(fill(`{"a":"${token('CHAT_URL')}"}`, { settings, build: '', hl: null, format: 'json' })).toBe(
      '{"a":"https://chat.example/?a=1&b=\\"2\\""}',
    );
  });
  it('does not fill in what a value contains', () => {
    const tricky = { SITE_URL: '{{CHAT_URL}}', CHAT_URL: 'secret' };
    expect(fill(token('SITE_URL'), { settings: tricky, build: '', hl: null, format: 'html' })).toBe(
      '{{CHAT_URL}}',
    );
  });
});

it('counts off and nothing as not given', () => {
  expect(['on', 'off', '', undefined, 3].map(isGiven)).toEqual([true, false, false, false, false]);
});
