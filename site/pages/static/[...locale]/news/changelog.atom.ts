import type { APIRoute } from 'astro';
import { feedOfChangelog } from '../../../../discovery/changelog/feed.server.ts';
import { inEveryLanguage } from '../../../../platform/static-pages/locales.ts';

export const prerender = true;
export const getStaticPaths = inEveryLanguage;

export const GET: APIRoute = ({ locals }) => feedOfChangelog(locals, null);
