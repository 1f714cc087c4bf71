import { z } from 'zod';
import { limits } from '#db/catalogue/projects/limits.ts';
import { boundedText } from '#db/platform/shape.ts';
import { safeHtml } from '#db/platform/text/render.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { privateJson } from '../../platform/route/private-json.ts';
import type { Api } from '../../platform/route/types.ts';

export const previewShape = z.object({ html: z.string() });

/**
 * Markdown as our pages show it, for the editor: by the renderer that saves texts, within its limits of an account. Nothing
 * is stored. Refuses `invalid_input` beyond 65,536 characters, and what the renderer refuses.
 */
export function previewRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/preview',
    summary: 'Markdown as HTML',
    tag: 'internal',
    needs: ['SESSION_ACCESS'],
    body: z.object({ text: boundedText(0, limits.body) }),
    answer: previewShape,
    async handle({ services, body, request, actor }) {
      const from = { account: actor.user_id, signal: request.signal };
      return privateJson({ html: safeHtml(await services.renderer.render(body.text, from)) });
    },
  });
}
