import { z } from 'zod';
import { boundedText } from '../../platform/shape.ts';

const queueSorts = ['oldest', 'newest', 'most_external_deps', 'least_external_deps'] as const;
export type QueueSort = (typeof queueSorts)[number];

/** Maximum projects in an answer. Source: api-v3 §5. */
const max_queue_count = 200;

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Which of the waiting projects are meant. Source: api-v3 §5. */
export const queueFilterShape = z.object({
  /** In the title, slug or owner's name. */
  query: boundedText(0, 255).optional(),
  /** `none`: projects without a type, that have no version. */
  project_type: boundedText(1, 32).optional(),
  has_external_dependencies: flag.optional(),
  /** Leaves out projects that wait for technical review. */
  exclude_technical_review: flag.optional(),
  sort: z.enum(queueSorts).default('oldest'),
});
export type QueueFilter = z.output<typeof queueFilterShape>;

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** The query of the queue. Source: api-v3 §5. */
export const queueQueryShape = queueFilterShape.extend({
  count: whole(1, max_queue_count).default(100),
  offset: whole(0, 1_000_000).default(0),
});

/** A project that waits for review. Source: api-v3 §5. */
export const waitingProjectShape = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    summary: z.string(),
    icon_url: z.string().nullable(),
    status: z.string(),
    requested_status: z.string().nullable(),
    queued: z.string().nullable(),
    published: z.string(),
    updated: z.string(),
    project_types: z.array(z.string()),
    ownership: z
      .object({
        kind: z.enum(['user', 'organization']),
        id: z.string(),
        name: z.string(),
        icon_url: z.string().nullable(),
      })
      .nullable(),
    external_dependencies_count: z.int(),
  })
  .meta({ id: 'WaitingProject' });
export type WaitingProject = z.output<typeof waitingProjectShape>;
