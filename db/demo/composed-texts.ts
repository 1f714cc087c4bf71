import { type Random, random } from './art/random.ts';
import { catalogue, type ListedProject, slugOf } from './catalogue.ts';
import { closings, notes, openings, whys } from './data/parts.ts';
import { anyTopics, type Topic, topics } from './data/questions.ts';
import { stepSlots } from './data/steps.ts';
import { suiting } from './traits.ts';
import { hasWrittenBody } from './written-body.ts';

/** Sentences for the description of a project; `{file}` and `{loader}` in the steps are not filled in. */
export interface ComposedTexts {
  opening: string;
  /** What is said of projects of its type, beside its own features. */
  notes: string[];
  /** Null: the author gives no reason. */
  why: string | null;
  steps: string[];
  /** Questions with their answers, none to three. */
  questions: Array<[question: string, answer: string]>;
  closing: string;
}

/** Longer paragraphs stand on one page only; shorter ones, such as `Type /reload`, are what anybody would write. */
export const shared_most = 60;

/**
 * The texts of every project whose description nobody wrote by hand, by slug. They are chosen for all at once, so that no
 * paragraph is on two pages. The same on every installation.
 */
export function composedTexts(): ReadonlyMap<string, ComposedTexts> {
  chosen ??= chooseAll();
  return chosen;
}
let chosen: ReadonlyMap<string, ComposedTexts> | undefined;

function chooseAll(): Map<string, ComposedTexts> {
  const listed = catalogue
    .map((project) => ({ project, slug: slugOf(project.title) }))
    .filter(({ slug }) => !hasWrittenBody(slug));
  const table = new Choices();
  return new Map(listed.map(({ project, slug }) => [slug, textsOf(project, slug, table)]));
}

function textsOf(project: ListedProject, slug: string, table: Choices): ComposedTexts {
  const r = random(`texts:${slug}`);
  const filled = (text: string) =>
    text
      .replaceAll('{title}', project.title)
      .replaceAll('{owner}', project.owner)
      .replaceAll('{slug}', slug)
      .replaceAll('{feature}', project.features[0].toLowerCase());
  const topic = project.categories.find((name) => name in openings) ?? project.type;
  const ofType = openings[project.type]!;
  const whyOrNot = r.next() < 0.5 ? suiting(whys[project.type], project).map(filled) : [];
  return {
    opening:
      table.fresh(r, pairs(openings[topic]!.map(filled))) ??
      table.fresh(r, pairs([...openings[topic]!, ...ofType].map(filled)))!,
    notes: Array.from({ length: r.int(0, 2) }, () => table.rare(r, suiting(notes[project.type], project))),
    why: table.fresh(r, whyOrNot),
    steps: stepSlots[project.type].flatMap((slot) => {
      const step = table.rare(r, slot);
      return step === null ? [] : [filled(step)];
    }),
    questions: table
      .topics(r, project.type, r.next() < 0.6 ? r.int(1, 3) : 0)
      .map(([question, answer]) => [filled(question), filled(answer)]),
    closing: table.fresh(r, closings.map(filled))!,
  };
}

/** Any two, one after the other. */
const pairs = (sentences: readonly string[]): string[] =>
  sentences.flatMap((one) => sentences.flatMap((other) => (one === other ? [] : [`${one} ${other}`])));

/** Remembers what was chosen. */
class Choices {
  readonly #uses = new Map<unknown, number>();

  #usesOf(one: unknown): number {
    return this.#uses.get(one) ?? 0;
  }
  #use<T>(one: T): T {
    this.#uses.set(one, this.#usesOf(one) + 1);
    return one;
  }

  /** One that was chosen least often. */
  rare<T>(r: Random, list: readonly T[]): T {
    const least = Math.min(...list.map((one) => this.#usesOf(one)));
    return this.#use(r.pick(list.filter((one) => this.#usesOf(one) === least)));
  }

  /** One that no page has yet, or a short one; null without any. */
  fresh(r: Random, texts: readonly string[]): string | null {
    const left = texts.filter((text) => text.length <= shared_most || this.#usesOf(text) === 0);
    return left.length === 0 ? null : this.rare(r, left);
  }

  /** Different topics, each with a question and an answer that no page has yet. */
  topics(r: Random, type: ListedProject['type'], count: number): Array<[question: string, answer: string]> {
    const left = new Set([...topics[type], ...anyTopics]);
    return Array.from({ length: count }, () => {
      const open = [...left].filter((topic) => this.#usesOf(topic) < answersOf(topic).length);
      const topic = this.rare(r, open);
      left.delete(topic);
      const answers = answersOf(topic).filter((answer) => this.#usesOf(answer) === 0);
      return [this.rare(r, topic.questions), this.#use(r.pick(answers))];
    });
  }
}

/** Every answer: a first sentence and one that follows. */
const answersOf = ({ first, second }: Topic): string[] =>
  first.flatMap((one) => second.map((next) => `${one} ${next}`));
