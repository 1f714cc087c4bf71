import { expect, it } from 'vitest';
import { withFirstPicture } from './first-picture.ts';

const picture = '<img src="/a.webp" alt="" loading="lazy">';

it('loads the first picture near the top at once, and the others lazily', () => {
  expect(withFirstPicture(`<p>Text</p>${picture}${picture}`)).toBe(
    `<p>Text</p><img src="/a.webp" alt="" fetchpriority="high">${picture}`,
  );
});

it('leaves a description alone whose first picture is far down, or that has none', () => {
  for (const html of [`<p>${'long '.repeat(500)}</p>${picture}`, '<p>Text</p>', ''])
    expect(withFirstPicture(html)).toBe(html);
});
