import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { userEditShape } from '../../accounts/account/shape.ts';
import { newClientShape } from '../../accounts/oauth/shape.ts';
import { newTokenShape, tokenEditShape } from '../../accounts/tokens/shape.ts';
import * as collections from '../../catalogue/collections/shape.ts';
import { editShape as externalEditShape } from '../../catalogue/external-files/shape.ts';
import { invitationShape } from '../../catalogue/members/shape.ts';
import * as organizations from '../../catalogue/organizations/shape.ts';
import { storedFields } from '../../catalogue/projects/stored-fields.ts';
import { createFields } from '../../catalogue/publishing/shape.ts';
import * as versions from '../../catalogue/versions/shape.ts';
import { newAnnouncementShape } from '../../discovery/analytics/shape.ts';
import { noticeInput } from '../../hosting/notices/shape.ts';
import { normalizedBackupName, whyNotBackupName } from '../../hosting/servers/backups/rules.ts';
import { serverName } from '../../hosting/servers/name.ts';
import { portName } from '../../hosting/servers/network/rules.ts';
import { scheduleName, whyNotSchedule } from '../../hosting/servers/schedules/rules.ts';
import { hasDirectionMarks, hasOddCharacters, oneLine, plainLines, showsSomething } from './rules.ts';

const invisible = [
  '\u200b\u200b\u200b',
  '\u2060\u00ad\ufeff',
  '\u3164\u115f\u2800',
  ' \u00a0\u2003',
  '\u202e\u2066\u2069',
];
const marks = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
const breaks = ['\n', '\r\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\t'];

describe('the rule', () => {
  test.each(invisible)('%j shows nothing, alone or together', (text) => {
    expect([showsSomething(text), oneLine(text), plainLines(text)]).toEqual([false, '', '']);
  });

  test('what people write in any script shows something and stays as it is', () => {
    for (const text of ['a', '测试', 'שלום', 'سلام', '👩‍👩‍👧', 'a\u200db', 'مرحبا\u200f!', 'e\u0301', 'नमस्ते'])
      expect([showsSomething(text), oneLine(text)]).toEqual([true, text]);
  });

  test.each(marks)('%j is left out', (mark) => {
    expect([oneLine(`a${mark}b${mark}`), plainLines(`${mark}a\n${mark}b`)]).toEqual(['ab', 'a\nb']);
  });

  test.each(breaks)('%j is a blank in a line', (one) => {
    expect(oneLine(`${one}a${one}b ${one} c${one}`)).toBe('a b c');
  });

  test('line breaks stay in lines, in one form, without other control characters', () => {
    expect(plainLines(' a\r\nb\rc\u2028d\te\u0007 \n')).toBe('a\nb\nc\nd\te');
  });
});

const project = storedFields;
const summaries = { create: project.description.input, edit: project.description.edit_input };
const gallery = createFields.shape.gallery_items.unwrap().unwrap().element.shape;
const collection = { ...collections.createShape.shape, edit: collections.editShape.shape };

/** Every stored name and summary of one line that a shape parses. */
const lines: Record<string, z.ZodType> = {
  'title of a project': project.title.input,
  'summary of a project': summaries.create,
  'summary of a project, edited': summaries.edit,
  'name of an organization': organizations.createShape.shape.name,
  'name of an organization, edited': organizations.editShape.shape.name,
  'name of a collection': collection.name,
  'name of a collection, edited': collection.edit.name,
  'name of a version': versions.createFields.shape.name,
  'name of a version, edited': versions.editShape.shape.name,
  'name of a token': newTokenShape.shape.name,
  'name of a token, edited': tokenEditShape.shape.name,
  'name of an app': newClientShape.shape.name,
  'title of an image': gallery.name,
  'role of a member': invitationShape.shape.role,
  'title of a notice': noticeInput.shape.title,
  'title of an announcement': newAnnouncementShape.shape.title,
  'title of a work from elsewhere': externalEditShape.shape.title,
};
const texts: Record<string, z.ZodType> = {
  'description of an organization': organizations.createShape.shape.description,
  'description of a collection': collection.description,
  'description of a collection, edited': collection.edit.description,
  'description of an app': newClientShape.shape.description,
  'description of an image': gallery.description,
  'biography of a user': userEditShape.shape.bio,
};
/** A text that may be empty is stored as empty when it shows nothing. */
const mayBeEmpty = ['role of a member', 'description of an app', 'biography of a user'];

test.each(
  [...breaks, '\u0000', '\u0007', '\u009f', '\ud800', '\udfff'].map((one) => [one, `a${one}b`] as const),
)('%j is odd inside a name', (_, text) => {
  expect([hasOddCharacters(text), hasOddCharacters('a b é 😀')]).toEqual([true, false]);
});

test.each([...marks, '\u200e', '\u200f'])('%j is a mark of direction', (mark) => {
  expect([hasDirectionMarks(`a${mark}`), hasDirectionMarks('שלום')]).toEqual([true, false]);
});

describe.each(Object.entries({ ...lines, ...texts }))('the %s', (name, shape) => {
  test('is refused or empty when it shows nothing', () => {
    for (const text of invisible) {
      const parsed = shape.safeParse(text.repeat(2));
      expect([text, parsed.data]).toEqual([text, mayBeEmpty.includes(name) ? '' : undefined]);
    }
  });

  test('is stored without marks of direction and blanks at its ends', () => {
    expect(shape.parse(`\u00a0 \u202egnp \u2067exe\u2069\t \u3000`)).toBe('gnp exe');
  });

  test('has line breaks only where a text has several lines', () => {
    expect(shape.parse('one\r\ntwo\n')).toBe(name in lines ? 'one two' : 'one\ntwo');
  });
});

describe('names of servers and what belongs to them', () => {
  const refusing = (made: () => unknown) => {
    try {
      return made();
    } catch {
      return null;
    }
  };
  const named: Record<string, (text: string) => unknown> = {
    server: (text) => refusing(() => serverName(text)),
    backup: (text) => (whyNotBackupName(text) ? null : normalizedBackupName(text)),
    schedule: (text) => (whyNotSchedule(text, [{ kind: 'backup' } as never]) ? null : scheduleName(text)),
    port: portName,
  };

  test.each(Object.keys(named))(
    'a %s is refused a name that shows nothing or has line breaks inside',
    (kind) => {
      for (const text of invisible) expect([text, named[kind]!(text)]).toEqual([text, null]);
      expect(named[kind]!('  My \u00e9 ')).toBe('My \u00e9');
      for (const odd of ['a\u0007b', 'a\u0085b\u0000', 'a\ud800b', '\udc00'])
        expect([odd, named[kind]!(odd)]).toEqual([odd, null]);
    },
  );

  test.each(['server', 'schedule', 'port'])('a %s has no marks of direction in its name', (kind) => {
    expect(named[kind]!('\u202egnp\u202c \u2066exe\u2069')).toBe('gnp exe');
  });
});
