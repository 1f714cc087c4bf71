import type { Registry } from 'prom-client';
import { gauge } from '#db/platform/runtime/metrics.ts';
import type { AppServices } from '../platform/context.ts';
import type { Freshness } from '../platform/http/freshness.ts';
import { AnswerStore } from '../platform/ready-answers/answer-store.ts';
import type { ReadyAnswer } from '../platform/ready-answers/ready-answer.ts';
import {
  type ReadyAnswers,
  type ReadyAnswersOptions,
  readyAnswers,
} from '../platform/ready-answers/ready-answers.ts';
import { openRecords, type RecordPart } from '../platform/ready-answers/records.ts';
import { apiLimiter } from '../platform/route/api-limiter.ts';
import { createApi } from './app.ts';
import { appliedBefore, type Fetch } from './listener.ts';

interface Options extends Pick<ReadyAnswersOptions, 'addressOf'> {
  services: AppServices;
  freshness: Freshness;
  registry: Registry;
}

/**
 * The API of a process with its ready answers, which share API_STORE_BYTES: half for whole answers, half for the parts
 * of answers that hold many things. Reports what they do as metrics, as the page cache does.
 */
export function openApi({ services, freshness, registry, addressOf }: Options): {
  fetch: Fetch;
  answers: ReadyAnswers;
} {
  const half = Math.floor(services.settings.API_STORE_BYTES / 2);
  const store = new AnswerStore<ReadyAnswer>(half);
  const parts = new AnswerStore<RecordPart>(half);
  freshness.follow(store);
  freshness.follow(parts);
  const limiter = apiLimiter(services);
  const records = openRecords({ services, freshness, store: parts });
  const { fetch } = createApi(services, { limiter, records });
  const answers = readyAnswers({ services, fetch, limiter, freshness, store, records, addressOf });
  const reported = {
    api_store_hits: ['API answers sent from ready bytes', () => answers.stats().hits],
    api_store_misses: ['API answers made because they were not ready', () => answers.stats().misses],
    api_store_answers: ['API answers in memory', () => store.stats().answers],
    api_store_parts: ['Parts of long API answers in memory', () => parts.stats().answers],
    api_store_bytes: ['Bytes of both', () => store.stats().bytes + parts.stats().bytes],
  } as const;
  for (const [name, [help, read]] of Object.entries(reported)) gauge(registry, name, help, read);
  return { fetch: appliedBefore(fetch, freshness), answers };
}
