import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bytesOfCase, known_bad, ruleCases } from '../../testing/scanner-cases.ts';
import { sourceOf } from '../../testing/zips.ts';
import { archiveRules, codeRules, type IssueType, issueTypes } from './rules.ts';
import { scanFile } from './scan-file.ts';

const bad = new Set([createHash('sha512').update(known_bad).digest('hex')]);
const scan = async (bytes: Buffer) =>
  await scanFile({ content: sourceOf(bytes), filename: 'example.jar' }, bad);

test('every rule has cases', () => {
  expect(Object.keys(ruleCases).sort()).toEqual([...issueTypes].sort());
});

describe.each(Object.entries(ruleCases))('%s', (name, { flagged, harmless }) => {
  const type = name as IssueType;
  const severities = [...codeRules, ...archiveRules]
    .filter((rule) => rule.type === type)
    .map((rule) => rule.severity);

  test.each(flagged.map((given, index) => [index + 1, given] as const))(
    'flags archive %i',
    async (_, given) => {
      const found = (await scan(await bytesOfCase(given))).traces.filter(
        ({ issue_type }) => issue_type === type,
      );
      expect(found).not.toEqual([]);
      for (const { severity, key, disassembly } of found) {
        expect(severities).toContain(severity);
        expect(key).toMatch(/^[0-9a-f]{64}$/);
        expect(disassembly.length).toBeLessThanOrEqual(4096);
      }
    },
  );

  test.each(harmless.map((given, index) => [index + 1, given] as const))(
    'does not flag look-alike %i',
    async (_, given) => {
      const { traces } = await scan(await bytesOfCase(given));
      expect(traces.filter(({ issue_type }) => issue_type === type)).toEqual([]);
    },
  );
});
