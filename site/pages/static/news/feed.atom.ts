import type { APIRoute } from 'astro';
import { feedSite, newsFeed } from '../../../discovery/news/feed.server.ts';
import { atom } from '../../../platform/feeds/atom.ts';

export const prerender = true;
export const GET: APIRoute = async () => new Response(atom(await newsFeed('/news/feed.atom'), feedSite));
