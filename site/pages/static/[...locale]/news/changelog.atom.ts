import type { APIRoute } from 'astro';
import { feedOfChangelog } from '../../../../changelog/feed.server.ts';
import { inEveryLanguage } from '../../../../static-pages/locales.ts';

export const prerender = true;
export const getStaticPaths = inEveryLanguage;

export const GET: APIRoute = ({ locals }) => feedOfChangelog(locals, null);
