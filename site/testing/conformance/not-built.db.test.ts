import { describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { isCovered, owners } from '../reference/owners.ts';
import { referenceOperations } from '../reference/routes.ts';

/** Operations of other issues are unknown routes until they are built, for administrators too. Source: api-v2 §1.1. */
const database = testDatabase();
const api = testApi(database);

const operations = referenceOperations().filter((operation) =>
  Object.values(owners)
    .flat()
    .some((given) => isCovered(operation, given)),
);

describe('what other issues build', () => {
  test('answers 404 not_found', async () => {
    const admin = await build.user(database.sql, { role: 'admin' });
    const token = await build.token(database.sql, admin);
    const others: string[] = [];
    for (const operation of operations) {
      const [method, path] = operation.split(' ') as [string, string];
      const body = method === 'GET' ? {} : { json: {} };
      const answer = await api.call(method, path.replace(/\{\w+\}/g, 'AABBCCDD'), { token, ...body });
      const text = await answer.text();
      const { error } = text.startsWith('{') ? (JSON.parse(text) as { error?: string }) : {};
      if (answer.status !== 404 || error !== 'not_found')
        others.push(`${operation}: ${answer.status} ${text}`);
    }
    expect(operations.length).toBeGreaterThan(20);
    expect(others).toEqual([]);
  });
});
