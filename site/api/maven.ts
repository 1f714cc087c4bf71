import { z } from 'zod';
import { findProjectRow } from '#db/catalogue/projects/read.ts';
import { type MavenMetadata, mavenMetadata, mavenVersion, pickFile } from '#db/catalogue/versions/maven.ts';
import { fileUrl } from '#db/catalogue/versions/row.ts';
import { mavenGroup } from '../catalogue/version/maven-coordinates.ts';
import { publicRoute } from '../platform/route/endpoint.ts';
import { orNotFound } from '../platform/route/or-not-found.ts';
import type { Api } from '../platform/route/types.ts';
import { document, element } from '../platform/text/xml.ts';

const base = '/maven/maven/modrinth/{id}';
const tag = 'maven';
const inProject = z.object({ id: z.string().max(64) });
const reads = ['PROJECT_READ' as const, 'VERSION_READ' as const];

/** Maven repository of the versions of projects, for GET and HEAD. Source: api-v2 §12. */
export function mavenRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: `${base}/maven-metadata.xml`,
    summary: 'The versions of a project as Maven metadata',
    tag,
    reads,
    params: inProject,
    handle: async ({ sql, params, actor }) =>
      xmlAnswer(document(metadata(await mavenMetadata(sql, params.id, actor)))),
  });
  publicRoute(api, {
    method: 'get',
    path: `${base}/{version}/{file}`,
    summary: 'The POM of a version, one of its files (a redirect) or a checksum of one',
    tag,
    reads,
    params: inProject.extend({ version: z.string().max(512), file: z.string().max(1024) }),
    handle: async ({ sql, services: { settings }, params: { id, version, file }, actor }) => {
      const row = orNotFound(await mavenVersion(sql, id, version, actor));
      const name = `${id}-${version}`;
      if (file === `${name}.pom`) {
        const { title, description } = orNotFound(await findProjectRow(sql, id, actor));
        return xmlAnswer(document(pom(id, version, { title, description })));
      }
      const [, algorithm] = /\.(sha1|sha512)$/.exec(file) ?? [];
      const found = pickFile(row.files, algorithm ? file.slice(0, -algorithm.length - 1) : file, name);
      if (!algorithm) {
        const location = fileUrl(settings, row, orNotFound(found));
        return new Response(null, { status: 307, headers: { location } });
      }
      if (!found) return new Response(null, { status: 404 });
      return new Response(found.hashes[algorithm as 'sha1' | 'sha512'], {
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
    },
  });
}

const xmlAnswer = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/xml; charset=utf-8' } });

const metadata = ({ project_id, updated, versions, release, latest }: MavenMetadata) =>
  element(
    'metadata',
    {},
    element('groupId', {}, mavenGroup),
    element('artifactId', {}, project_id),
    element(
      'versioning',
      {},
      element('latest', {}, latest),
      element('release', {}, release),
      element(
        'versions',
        {},
        versions.map((name) => element('version', {}, name)),
      ),
      element('lastUpdated', {}, new Date(updated).toISOString().replace(/\D/g, '').slice(0, 14)),
    ),
  );

const pom = (id: string, version: string, project: { title: string; description: string }) =>
  element(
    'project',
    {
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      xmlns: 'http://maven.apache.org/POM/4.0.0',
      'xsi:schemaLocation': 'http://maven.apache.org/POM/4.0.0 https://maven.apache.org/xsd/maven-4.0.0.xsd',
    },
    element('modelVersion', {}, '4.0.0'),
    element('groupId', {}, mavenGroup),
    element('artifactId', {}, id),
    element('version', {}, version),
    element('name', {}, project.title),
    element('description', {}, project.description),
  );
