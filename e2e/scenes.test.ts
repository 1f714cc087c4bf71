import { expect, test } from 'vitest';
import { namesWithStates } from './page-states.ts';
import { scenesWith } from './scenes.ts';

const scenes = scenesWith('/servers/manage/1');

test('every page with further states is a scene', () => {
  const names = new Set(scenes.map(({ name }) => name));
  expect(namesWithStates.filter((name) => !names.has(name))).toEqual([]);
});

test('no more pictures than somebody looks at', () => {
  const pictures = scenes.reduce((sum, { only }) => sum + (only ? 1 : 2), 0);
  expect(pictures).toBeGreaterThan(300);
  expect(pictures).toBeLessThanOrEqual(400);
});
