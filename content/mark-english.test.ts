import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnglishTexts } from './english-texts.ts';
import { markEnglish } from './mark-english.ts';

const english = new EnglishTexts(
  { 'x.save': 'Save', 'x.back': 'Go back', 'x.by': 'By {name}', 'x.name': 'Name', 'x.title': 'Name' },
  { 'x.title': 'Name' },
);
english.passing('x.by', 'By Ann & Bob');
const marked = (html: string, locale = 'de-DE'): string =>
  markEnglish(html, { locale, isEnglish: (text) => english.has(text) });

describe('an element is marked as English', () => {
  it.each([
    ['when its text is', '<h1 class="t">Save</h1>', '<h1 lang="en" class="t">Save</h1>'],
    ['when its text was given values', '<p>By Ann &amp; Bob</p>', '<p lang="en">By Ann &amp; Bob</p>'],
    [
      'with signs and numbers around it',
      '<dt>\n  Save: <b>4</b></dt>',
      '<dt lang="en">\n  Save: <b>4</b></dt>',
    ],
    ['with an icon', '<a href="/"><svg></svg>Save</a>', '<a lang="en" href="/"><svg></svg>Save</a>'],
    [
      'when its name is, and it has no text',
      '<button aria-label="Go back"><svg/></button><img alt="Save">',
      '<button lang="en" aria-label="Go back"><svg/></button><img lang="en" alt="Save">',
    ],
    ['inside others', '<div><p>Hallo</p><p>Save</p></div>', '<div><p>Hallo</p><p lang="en">Save</p></div>'],
    ['as the title', '<title>Save</title>', '<title lang="en">Save</title>'],
    [
      'by its own language below a foreign one',
      '<div lang="en-US">Save<p lang="de-DE"><b>Save</b></p></div>',
      '<div lang="en-US">Save<p lang="de-DE"><b lang="en">Save</b></p></div>',
    ],
  ])('%s', (_when, html, expected) => {
    expect(marked(html)).toBe(expected);
  });
});

describe('nothing is marked', () => {
  it.each([
    ['beside text of the page', '<p>Save <b>Hallo</b></p>'],
    ['with a name in the language of the page', '<p title="Hallo">Save</p>'],
    ['with a part of a text', '<p>Save everything</p>'],
    ['with a language of its own', '<html lang="de-DE"><bdi lang="fr">Save</bdi></html>'],
    [
      'in scripts, styles and comments',
      '<script>"<p>Save</p>"</script><style>a{}</style><!-- <p>Save</p> -->',
    ],
    ['with a word that the language writes alike', '<p>Name</p>'],
    ['without letters', '<p>4 &#8230;</p>'],
  ])('%s', (_where, html) => {
    expect(marked(html)).toBe(html);
  });
});

it('adds attributes only, whatever it reads', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b title="Save">',
      '</b>',
      'Save',
      'Hallo',
      '<br>',
      '<',
      '>',
      '"',
      '<!--',
      '-->',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const html = pieces.join('');
      expect(marked(html).replaceAll(' lang="en"', '')).toBe(html.replaceAll(' lang="en"', ''));
    }),
  );
});
