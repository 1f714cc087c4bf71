import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { discoveryRouter } from '../api/well-known-router.ts';
import { createFreshness, type Freshness } from '../platform/http/freshness.ts';
import { createPageCache, type PageCache, type PageRenderer } from '../platform/http/page-cache.ts';
import { testApi } from './api.ts';

export interface TestMachines {
  store: PageCache;
  freshness: Freshness;
  ask(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Headers }>;
}

/**
 * The routes of machine-readable documents, behind a real page cache on the file's test database; other paths are a
 * bare 404.
 */
export function testMachines(database: { sql: Pool }): TestMachines {
  const api = testApi(database, { SITE_URL: 'https://cairn.example' });
  const made = {} as TestMachines;
  const server = createServer();
  const nothing: PageRenderer = (_req, res) => {
    res.writeHead(404, { 'content-type': 'text/html' }).end('<p>nothing</p>');
  };
  beforeAll(async () => {
    const machineAt = discoveryRouter(api.services);
    made.freshness = createFreshness({ services: api.services });
    made.store = createPageCache({ services: api.services, build: 'test', freshness: made.freshness });
    server.on('request', (req, res) => {
      const path = req.url!.split('?', 1)[0]!;
      made.store.serve(req, res, machineAt(path, nothing) ?? nothing).catch(() => res.writeHead(500).end());
    });
    await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
    await vi.waitFor(() => expect(made.store.stats().live).toBe(true), { timeout: 20_000 });
    const { port } = server.address() as AddressInfo;
    made.ask = async (path, headers = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    };
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    made.store?.close();
    await made.freshness?.close();
  });
  return made;
}

/** An element as a strict parser sees it. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** The root element of an XML document. Throws if it is not well-formed or uses an unknown prefix. */
export function parsed(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element: Element = { name, attributes: Object.fromEntries(values), text: '', children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0]!;
}

/** All children with that name, and the text of the first. */
export const every = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);
export const textIn = (element: Element, name: string): string | undefined => every(element, name)[0]?.text;
