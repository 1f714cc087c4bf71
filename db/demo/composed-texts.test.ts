import { describe, expect, it } from 'vitest';
import { bodyOf } from './body.ts';
import { composedTexts, shared_most } from './composed-texts.ts';
import { planned } from './plan.ts';

const plans = planned();
/** Descriptions of all projects, without pictures. */
const bodies = new Map(plans.map((plan) => [plan.slug, bodyOf(plan, [])]));

/** Pages that share a text, by the text. */
function shared(textsOf: (body: string) => string[]): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const [slug, body] of bodies)
    for (const text of new Set(textsOf(body))) pages.set(text, [...(pages.get(text) ?? []), slug]);
  return new Map([...pages].filter(([, slugs]) => slugs.length > 1));
}

/** Paragraphs and items of lists without marks and tags; no code, headings or rows of tables. */
const paragraphsOf = (body: string): string[] =>
  body
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => !/^[|#]/.test(line))
    .map((line) =>
      line
        .replace(/<\/?\w[^<>]*>/g, '')
        .replace(/^(?:[-*>]|\d+\.) /, '')
        .trim(),
    );

const stepsOf = (body: string): string[] =>
  body.match(/^1\. .*`[^`]*\.(?:jar|zip|mrpack)`[\s\S]*?(?=\n\n|$)/gm) ?? [];
const answersOf = (body: string): string[] => body.match(/(?<=<\/summary>\s+)\S.*/g) ?? [];

describe('the descriptions of the demo catalogue', () => {
  it(`share no paragraph of more than ${shared_most} characters`, () => {
    const repeated = [...shared(paragraphsOf)].filter(([text]) => text.length > shared_most);
    expect(repeated).toEqual([]);
  });

  it('share neither the steps of installing nor an answer, however short', () => {
    expect([...shared(stepsOf), ...shared(answersOf)]).toEqual([]);
  });

  it('say how to install it where nobody wrote by hand, with the newest file, and some answer questions', () => {
    const composed = composedTexts();
    expect(composed.size).toBeGreaterThan(200);
    const asked = [...composed.values()].filter(({ questions }) => questions.length > 0);
    expect(asked.length).toBeGreaterThan(composed.size / 3);
    for (const { slug, versions } of plans) {
      if (!composed.has(slug)) continue;
      expect(bodies.get(slug)).toContain(`${slug}-${versions.at(-1)!.version_number}.`);
      expect(bodies.get(slug)).not.toMatch(/\{\w+\}|undefined|null/);
    }
  });
});
