import { expect, test } from 'vitest';
import { gradleSnippet, mavenCoordinates } from './maven-coordinates.ts';

test('a version has coordinates, and a build file asks this site for them', () => {
  const coordinates = mavenCoordinates('AABBCCDD', '1.2.0+1.21');
  expect(coordinates).toBe('maven.modrinth:AABBCCDD:1.2.0+1.21');
  const snippet = gradleSnippet('https://mods.example.org', coordinates);
  expect(snippet).toContain('maven { url = uri("https://mods.example.org/maven") }');
  expect(snippet).toContain('implementation("maven.modrinth:AABBCCDD:1.2.0+1.21")');
});

test('a number cannot end the text it stands in', () => {
  expect(gradleSnippet('https://x', 'a:b:1"$c')).toContain('implementation("a:b:1\\"\\$c")');
});
