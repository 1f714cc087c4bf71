import type { APIRoute } from 'astro';
import { rss } from '../../../feeds/rss.ts';
import { newsFeed } from '../../../news/feed.server.ts';

export const prerender = true;
export const GET: APIRoute = async () => new Response(rss(await newsFeed('/news/feed.rss')));
