import type { APIRoute } from 'astro';
import { appNews } from '../../../discovery/news/app-feed.server.ts';

export const prerender = true;
export const GET: APIRoute = async () => Response.json(await appNews());
