import type { APIRoute } from 'astro';
import { newsFeed } from '../../../discovery/news/feed.server.ts';
import { rss } from '../../../platform/feeds/rss.ts';

export const prerender = true;
export const GET: APIRoute = async () => new Response(rss(await newsFeed('/news/feed.rss')));
