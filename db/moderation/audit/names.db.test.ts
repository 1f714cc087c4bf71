import { expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { auditNames, auditSubjects } from './names.ts';
import type { AuditEntry } from './read.ts';

const database = testDatabase();
const entry = (given: Partial<AuditEntry>): AuditEntry => ({
  ...{ event_id: 1, at: new Date(0), name: 'project.edited', actor_id: null, actor: null },
  ...{ subject_type: 'project', subject_id: null, data: {}, ...given },
});

it('finds what entries and their data call by ids, and what is called by a name', async () => {
  const { sql } = database;
  const owner = await build.user(sql);
  const project = await build.project(sql, { owner });
  const [{ team }] = await sql<[{ team: string }]>`select team from projects where id = ${project.id}`;
  const names = await auditNames(sql, [
    entry({ subject_id: project.id, data: { user_id: owner.id, member_id: 'Gone0001', role: 'x' } }),
    entry({ subject_type: 'team', subject_id: team }),
    entry({ subject_type: 'catalogue' }),
  ]);
  expect([...names.keys()].toSorted()).toEqual(
    [`project:${project.id}`, `team:${team}`, `user:${owner.id}`].toSorted(),
  );
  expect(names.get(`user:${owner.id}`)).toMatchObject({ name: owner.username, slug: null });
  expect(names.get(`project:${project.id}`)?.slug).toBe(project.slug);
  expect(await auditSubjects(sql, owner.username.toUpperCase())).toContain(owner.id);
  expect(await auditSubjects(sql, project.slug.toUpperCase())).toContain(project.id);
  expect(await auditSubjects(sql, 'nobody at all')).toEqual(['nobody at all']);
  expect(await auditSubjects(sql, '\0')).toEqual([]);
});
