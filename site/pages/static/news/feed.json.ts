import type { APIRoute } from 'astro';
import { newsFeed } from '../../../discovery/news/feed.server.ts';
import { jsonFeed } from '../../../platform/feeds/json-feed.ts';

export const prerender = true;
export const GET: APIRoute = async () => new Response(jsonFeed(await newsFeed('/news/feed.json')));
