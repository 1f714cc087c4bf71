import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compose } from './compose-message.ts';
import { checklistShape, reviewChecklist, stagesFor } from './review-checklist.ts';

const facts = { title: 'Stone *wall*', slug: 'stone-wall', type: 'mod', license: 'MIT' };
const stages = stagesFor({ project_type: 'modpack', versions: 0, is_approved: true });
const composed = (choices: Record<string, string>) => compose(stages, choices, facts);
const stored = () =>
  JSON.parse(
    readFileSync(new URL('../../../content/review-checklist.json', import.meta.url), 'utf8'),
  ) as typeof reviewChecklist;

test('has the fifteen stages, three of them for some projects only', () => {
  expect(reviewChecklist.stages).toHaveLength(15);
  expect(stages).toHaveLength(15);
  expect(stagesFor({ project_type: 'mod', versions: 1, is_approved: false })).toHaveLength(12);
  const kinds = new Set(reviewChecklist.stages.flatMap(({ actions }) => actions.map(({ kind }) => kind)));
  expect([...kinds].sort()).toEqual([
    'button',
    'conditional-button',
    'dropdown',
    'multi-select-chips',
    'toggle',
  ]);
});

test.each([
  [
    'an unknown variable',
    (list: typeof reviewChecklist) => {
      list.stages[0]!.actions[0]!.message = 'Hello {nobody}';
    },
    /\{nobody\} is unknown/,
  ],
  [
    'an input of another action',
    (list: typeof reviewChecklist) => {
      list.stages[0]!.actions[0]!.message = '{input:link}';
    },
    /\{input:link\} is unknown/,
  ],
  [
    'an unknown choice',
    (list: typeof reviewChecklist) => {
      list.stages[0]!.actions[0]!.disables = ['nothing'];
    },
    /no choice nothing/,
  ],
  [
    'an id twice',
    (list: typeof reviewChecklist) => {
      list.stages[0]!.actions[0]!.id = 'title_similar';
    },
    /same id/,
  ],
] as const)('refuses %s', (_, change, problem) => {
  const list = stored();
  change(list);
  expect(() => checklistShape.parse(list)).toThrow(problem);
});

test('nothing chosen says nothing and suggests to approve', () => {
  expect(composed({})).toEqual({ message: '', points: 0, suggests: 'approved', missing: [] });
});

test('points stand in the order of their weights, the gravest suggests the status', () => {
  const { message, points, suggests } = composed({
    links_downloads: 'on',
    'links_downloads:link': 'https://files.test/`x`',
    title_useless: 'on',
    'links_wrong/wiki': 'on',
    'links_wrong/chat': 'on',
  });
  expect(points).toBe(4);
  expect(suggests).toBe('rejected');
  expect(message.indexOf('**Name.**')).toBeLessThan(message.indexOf('**Links.**'));
  expect(message).toContain('“Stone \\*wall\\*”');
  expect(message).toContain('`https://files.test/x`');
});

test('a required text is missing until it is there; what nobody knows is left out', () => {
  expect(composed({ links_dead: 'on' }).missing).toEqual(['links_dead:link']);
  expect(composed({ links_dead: 'on', 'links_dead:link': ' ' }).missing).toEqual(['links_dead:link']);
  expect(composed({ links_dead: 'on', 'links_dead:link': 'x' }).missing).toEqual([]);
  expect(composed({ environment_wrong: 'client' }).missing).toEqual([]);
  expect(composed({ environment_wrong: 'nowhere', gone: 'on' }).points).toBe(0);
});

test('choices enable and take the place of others, and decide which message a conditional one has', () => {
  expect(composed({ permission_stolen: 'on' }).points).toBe(0);
  expect(composed({ permission_stolen: 'on', permission_identity: 'on' }).points).toBe(2);
  expect(composed({ summary_repeat: 'on', summary_insufficient: 'on' }).points).toBe(1);
  expect(composed({ summary_repeat: 'on' }).message).not.toContain('has to change too');
  expect(composed({ summary_repeat: 'on', title_useless: 'on' }).message).toContain('has to change too');
});

test('what somebody typed is not looked through for variables', () => {
  expect(composed({ versions_broken: 'on', 'versions_broken:detail': '{title} <b>' }).message).toContain(
    '{title} \\<b\\>',
  );
});
