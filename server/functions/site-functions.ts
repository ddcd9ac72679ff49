/**
 * Functions of the site at /functions/v1. Chat, booking calendar, campaign events, captcha proofs and report summaries
 * use the same handlers as a hosted project. Newsletter unsubscribe exists only here.
 */

import {
  ApiError,
  type BackendContext,
  type Config,
  createAddressLimit,
  createRateLimiter,
  FairQueue,
  type Functions,
  networkPath,
  PUBLISHABLE_KEY,
  type RequestHandler,
} from '@signalfjord/backend';
import { createAiChat } from '../../supabase/functions/ai-chat/ai-chat.ts';
import type { TableApi } from '../../supabase/functions/ai-chat/site-content.ts';
import { DEFAULT_SITE_NAME } from '../../supabase/functions/ai-chat/site-name.ts';
import type { Upstream } from '../../supabase/functions/ai-chat/upstream.ts';
import { handleBookingCalendar } from '../../supabase/functions/booking-calendar/booking-calendar.ts';
import { BusyError, createCampaignEvents } from '../../supabase/functions/campaign-events/campaign-events.ts';
import { handleCaptchaProof } from '../../supabase/functions/captcha-proof/captcha-proof.ts';
import { handleReportSummary } from '../../supabase/functions/report-summary/report-summary.ts';
import { createAssistantChecks } from './assistant-checks.ts';
import { unsubscribeFromNewsletter } from './newsletter-unsubscribe.ts';

const REQUESTS_PER_MINUTE = 20;

/**
 * Per address. High, because large mail services send the requests of all their users from a few addresses. Tokens
 * cannot be guessed.
 */
const UNSUBSCRIPTIONS_PER_MINUTE = 300;

const WRONG_SECRETS_PER_MINUTE = 60;

/** Limits for uncached lookups of webhook sources. Each lookup is one indexed read. */
const LOOKUP_QUEUE = { maxConcurrent: 4, maxQueued: 200, maxWaitMs: 5000 };

/** Creates the functions of the site. `tables` serves /rest/v1, from which the chat reads published content. */
export async function openSiteFunctions(context: BackendContext, tables: RequestHandler): Promise<Functions> {
  const { config, database, keys } = context;
  const limits = createLimits(config);
  const api = { apiUrl: 'http://backend.internal', secretKey: keys.secretKey, fetch: tables };
  const chat = openChat(context, { api, isWithinChatLimit: (address) => limits.chat(address) === 0 });
  const campaignEvents = openCampaignEvents(api, limits.secret);
  const proofs = proofParts(context, api, limits.captcha);
  const summaries = {
    ...api,
    upstream: getUpstream(config),
    consumeRateLimit: (address: string) => limits.summary(address) === 0,
  };
  const checks = createAssistantChecks(context, chat);
  const stopListening = await database.listen('content_changed', () => {
    chat.forgetContent();
    checks.schedule();
  });

  return {
    byName: {
      'ai-chat': {
        requiresKey: true,
        handle: (request, address) => chat.fetch(request, config.RATE_LIMITS ? address || 'unknown' : ''),
      },
      'booking-calendar': {
        handle(request, address) {
          const wait = limits.calendar(address);
          if (wait > 0) return rejectRequest('Too many requests. Try again in a minute.', wait);
          return handleBookingCalendar(request, { ...api, defaultSiteName: DEFAULT_SITE_NAME });
        },
      },
      'newsletter-unsubscribe': {
        handle: (request, address) => unsubscribeFromNewsletter(context, request, () => limits.unsubscribe(address)),
      },
      'campaign-events': {
        parameter: ':source',
        handle: (request, address) => campaignEvents.fetch(request, address),
      },
      'captcha-proof': { handle: (request, address) => handleCaptchaProof(request, proofs, address) },
      'report-summary': { handle: (request, address) => handleReportSummary(request, summaries, address) },
    },
    async close() {
      await stopListening();
      await checks.close();
    },
  };
}

/** Returns rate limiters by client address. Each returns the seconds to wait, or 0. */
function createLimits({ RATE_LIMITS }: Config) {
  const limitAddresses = (attempts: number) => (RATE_LIMITS ? createAddressLimit({ attempts, seconds: 60 }) : () => 0);
  return {
    chat: limitAddresses(REQUESTS_PER_MINUTE),
    calendar: limitAddresses(REQUESTS_PER_MINUTE),
    captcha: limitAddresses(REQUESTS_PER_MINUTE),
    summary: limitAddresses(REQUESTS_PER_MINUTE),
    unsubscribe: limitAddresses(UNSUBSCRIPTIONS_PER_MINUTE),
    secret: limitAddresses(WRONG_SECRETS_PER_MINUTE),
  };
}

function openCampaignEvents(api: Omit<TableApi, 'publishableKey'>, countWrongSecret: (address: string) => number) {
  const lookups = new FairQueue({
    ...LOOKUP_QUEUE,
    createError: () => new BusyError('Too many webhook requests are being authenticated'),
  });
  return createCampaignEvents({
    ...api,
    countWrongSecret,
    takeTurn: (address, work) => lookups.run(networkPath(address), work),
  });
}

function proofParts(
  { config, log }: BackendContext,
  api: Omit<TableApi, 'publishableKey'>,
  secondsToWait: (address: string) => number,
) {
  return {
    ...api,
    captcha: getCaptcha(config),
    consumeRateLimit: (address: string) => secondsToWait(address) === 0,
    onTrouble: (err: unknown) => log.error({ err }, 'a captcha could not be verified'),
  };
}

function getCaptcha({ CAPTCHA_PROVIDER: provider, CAPTCHA_SECRET: secret, CAPTCHA_URL: url }: Config) {
  return provider && secret ? { provider, secret, url: url ?? null } : null;
}

/** Returns the configured language model, or null. */
export function getUpstream({ AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey }: Config): Upstream | null {
  return baseUrl && model ? { baseUrl, apiKey: apiKey ?? null, model } : null;
}

interface ChatDependencies {
  api: Omit<TableApi, 'publishableKey'>;
  /** Counts a message of this address. */
  isWithinChatLimit: (address: string) => boolean;
}

function openChat({ config, log }: BackendContext, { api, isWithinChatLimit }: ChatDependencies) {
  const perConversation = createRateLimiter(config.RATE_LIMITS, {
    attempts: REQUESTS_PER_MINUTE,
    seconds: 60,
    createError: () => new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached'),
  });
  return createAiChat({
    api: { ...api, publishableKey: PUBLISHABLE_KEY },
    upstream: getUpstream(config),
    siteOrigin: config.SITE_URL ?? null,
    consumeRateLimit: (scope, key) =>
      scope === 'address'
        ? isWithinChatLimit(key)
        : perConversation.consume(key).then(
            () => true,
            () => false,
          ),
    log: (entry) => log.info({ function: 'ai-chat', ...entry }),
  });
}

function rejectRequest(text: string, retryAfterSeconds: number): Response {
  return new Response(text, { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } });
}
