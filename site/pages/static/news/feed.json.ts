import type { APIRoute } from 'astro';
import { jsonFeed } from '../../../feeds/json-feed.ts';
import { newsFeed } from '../../../news/feed.server.ts';

export const prerender = true;
export const GET: APIRoute = async () => new Response(jsonFeed(await newsFeed('/news/feed.json')));
