import { pino } from 'pino';
import { expect, it } from 'vitest';
import { countries } from './country.ts';
import { siteSection } from './rules.ts';
import { domainOf, isBot, isCrawler, sourceOfDownload } from './sources.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const searcher = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

it.each([
  [browser, false, false],
  [searcher, true, true],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    true,
    true,
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0 Safari/537.36',
    true,
    true,
  ],
  ['PrismLauncher/9.1', true, false],
  ['curl/8.5.0', true, false],
  ['theseus/0.8.9 (support@example.com)', true, false],
  ['Java/17.0.1', true, false],
  ['Gradle/8.10 (Windows 11;10.0;amd64) (Vendor;21;21+35)', false, false],
  [undefined, true, false],
])('%s: no person in a browser %s, loads for nobody %s', (agent, bot, crawler) => {
  expect([isBot(agent), isCrawler(agent)]).toEqual([bot, crawler]);
});

it.each([
  [browser, 'https://cairn.example/mod/x', 'website'],
  [browser, 'https://blog.example/', 'other'],
  [browser, undefined, 'other'],
  ['PrismLauncher/9.1', undefined, 'prism'],
  ['packwiz/0.1', undefined, 'packwiz'],
  ['Gradle/8.10 (Linux;6.1;amd64)', undefined, 'maven'],
  ['Apache-Maven/3.9.6 (Java 17.0.9; Linux 6.1)', undefined, 'maven'],
  ['someone/theseus/0.8', undefined, 'app'],
  ['Cairn-Agent/1', undefined, 'hosting'],
  ['curl/8.5.0', 'https://cairn.example/', 'other'],
  [undefined, undefined, 'other'],
])('%s from %s comes through %s', (agent, referrer, source) => {
  expect(sourceOfDownload({ agent, referrer }, 'cairn.example')).toBe(source);
});

it('the site of a link is its host', () => {
  expect(domainOf('https://user:secret@blog.example:8443/a?b#c')).toBe('blog.example');
  expect(domainOf('about:blank')).toBe('');
  expect(domainOf('nonsense')).toBe('');
});

it.each([
  ['/', '/'],
  ['/mods', '/mods'],
  ['/mod/x', '/project'],
  ['/mod/x/', '/project'],
  ['/plugin/x/version/1.2', '/project/version'],
  ['/mod/x/../../etc', '/project/other'],
  ['/secret-name', '/other'],
])('the page %s is in %s', (path, section) => {
  expect(siteSection(path)).toBe(section);
});

it('countries are found without asking anybody, and a file that cannot be read is said once', () => {
  const warned: string[] = [];
  const warn = (_: unknown, text: string) => void warned.push(text);
  const of = countries(undefined, pino({ level: 'silent' }));
  expect(of('193.0.6.139')).toBe('NL');
  expect(of('2001:67c:2e8:22::/64')).toBe('NL');
  expect([of('127.0.0.1'), of('10.0.0.1'), of('nonsense'), of('')]).toEqual(['XX', 'XX', 'XX', 'XX']);
  const none = countries('/nowhere.mmdb', { warn } as never);
  expect([none('193.0.6.139'), none('193.0.6.139')]).toEqual(['XX', 'XX']);
  expect(warned).toHaveLength(1);
});
