/**
 * Backend functions at /functions/v1: the chat, the calendar of bookings, the events of campaigns, the proofs of captchas and
 * the summaries of reports, the very handlers that a hosted project deploys, and what mail programs call to unsubscribe.
 */
import { createAiChat } from '../../supabase/functions/ai-chat/ai-chat.ts';
import type { TableApi } from '../../supabase/functions/ai-chat/site-content.ts';
import { DEFAULT_SITE_NAME } from '../../supabase/functions/ai-chat/site-name.ts';
import type { Upstream } from '../../supabase/functions/ai-chat/upstream.ts';
import { answerBookingCalendar } from '../../supabase/functions/booking-calendar/booking-calendar.ts';
import { BusyError, createCampaignEvents } from '../../supabase/functions/campaign-events/campaign-events.ts';
import { answerCaptchaProof } from '../../supabase/functions/captcha-proof/captcha-proof.ts';
import { answerReportSummary } from '../../supabase/functions/report-summary/report-summary.ts';
import type { Config } from '../config.ts';
import type { BackendContext, Service } from '../context.ts';
import { passingTrouble } from '../database/database.ts';
import { createAddressLimit } from '../fairness/address-limit.ts';
import { FairTurns } from '../fairness/fair-turns.ts';
import { networkPath } from '../fairness/networks.ts';
import { ApiError } from '../http/api-error.ts';
import { holdBody, withHeldBody } from '../http/held-body.ts';
import { IdentityError } from '../http/identity.ts';
import { PUBLISHABLE_KEY } from '../http/keys.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import { createAssistantChecks } from './assistant-checks.ts';
import { unsubscribeFromNewsletter } from './newsletter-unsubscribe.ts';
import { startRetention } from './retention.ts';

const REQUESTS_PER_MINUTE = 20;

/** Large mail services do it for all their people from a few addresses, and tokens cannot be guessed. */
const UNSUBSCRIPTIONS_PER_MINUTE = 300;

const WRONG_SECRETS_PER_MINUTE = 60;

/** Lookups of sources that are not cached. Each is one short read by an index. */
const LOOKUPS = { atOnce: 4, maxWaiting: 200, maxWaitMs: 5000 };

const ROUTES = [
  ...['ai-chat', 'booking-calendar', 'newsletter-unsubscribe', 'captcha-proof', 'report-summary'],
  'campaign-events/:source',
];

type Tables = (request: Request) => Response | Promise<Response>;

/** `tables` answers /rest/v1, from which the chat reads what is published. */
export async function createFunctionsService(context: BackendContext, tables: Tables): Promise<Service> {
  const { config, database, held, keys } = context;
  const waits = createLimits(config);
  const api = { apiUrl: 'http://backend.internal', secretKey: keys.secretKey, fetch: tables };
  const chat = openChat(context, { api, mayAsk: (address) => waits.chat(address) === 0 });
  const campaignEvents = openCampaignEvents(api, waits.secret);
  const proofs = proofParts(context, api, waits.captcha);
  const summaries = {
    ...api,
    upstream: upstreamOf(config),
    takeTurn: (address: string) => waits.summary(address) === 0,
  };
  const checks = createAssistantChecks(context, chat);
  const stopListening = await database.listen('content_changed', () => {
    chat.forgetContent();
    checks.schedule();
  });
  const stopRetention = startRetention(context);

  return {
    routes: ROUTES.map((route) => `/functions/v1/${route}`),
    async fetch(request, address) {
      try {
        return await answer(request, address);
      } catch (error) {
        const passing = passingTrouble(error);
        if (passing === null) throw error;
        return Response.json({ error: passing }, { status: 503 });
      }
    },
    async close() {
      await stopListening();
      await checks.close();
      await stopRetention();
    },
  };

  async function answer(request: Request, address: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/functions/v1/booking-calendar') {
      const wait = waits.calendar(address);
      if (wait > 0) return refuse('That was a lot at once. Please wait a minute.', wait);
      return answerBookingCalendar(request, { ...api, defaultSiteName: DEFAULT_SITE_NAME });
    }
    if (pathname === '/functions/v1/newsletter-unsubscribe') {
      return unsubscribeFromNewsletter(context, request, () => waits.unsubscribe(address));
    }
    if (pathname.startsWith('/functions/v1/campaign-events/')) {
      return withBody(request, address, (held) => campaignEvents.fetch(held, address));
    }
    if (pathname === '/functions/v1/captcha-proof') {
      return withBody(request, address, (held) => answerCaptchaProof(held, proofs, address));
    }
    if (pathname === '/functions/v1/report-summary') {
      return withBody(request, address, (held) => answerReportSummary(held, summaries, address));
    }
    if (pathname !== '/functions/v1/ai-chat') {
      return Response.json({ error: 'Requested function was not found' }, { status: 404 });
    }
    try {
      await context.identify(request);
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      return Response.json({ error: error.message }, { status: 401 });
    }
    return withBody(request, address, (held) => chat.fetch(held, config.RATE_LIMITS ? address || 'unknown' : ''));
  }

  /** Hands on a request whose body is within the bound of what strangers may have in memory, until it is answered. */
  async function withBody(request: Request, address: string, answerIt: (held: Request) => Promise<Response>) {
    const body = holdBody(request, address, held);
    try {
      return await answerIt(withHeldBody(request, body, noRoom));
    } finally {
      body.release();
    }
  }
}

/** Returns counters of requests by address; each tells how many seconds to wait, 0 for none. */
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
  const lookups = new FairTurns({ ...LOOKUPS, refuse: () => new BusyError('Too many sources are looked up') });
  return createCampaignEvents({
    ...api,
    countWrongSecret,
    takeTurn: (address, work) => lookups.take(networkPath(address), work),
  });
}

function proofParts(
  { config, log }: BackendContext,
  api: Omit<TableApi, 'publishableKey'>,
  secondsToWait: (address: string) => number,
) {
  return {
    ...api,
    captcha: captchaOf(config),
    takeTurn: (address: string) => secondsToWait(address) === 0,
    onTrouble: (err: unknown) => log.error({ err }, 'a captcha could not be checked'),
  };
}

function captchaOf({ CAPTCHA_PROVIDER: provider, CAPTCHA_SECRET: secret, CAPTCHA_URL: url }: Config) {
  return provider && secret ? { provider, secret, url: url ?? null } : null;
}

/** The configured language model, null without one. */
export function upstreamOf({ AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey }: Config): Upstream | null {
  return baseUrl && model ? { baseUrl, apiKey: apiKey ?? null, model } : null;
}

interface ChatParts {
  api: Omit<TableApi, 'publishableKey'>;
  /** Counts a message of an address. */
  mayAsk: (address: string) => boolean;
}

function openChat({ config, log }: BackendContext, { api, mayAsk }: ChatParts) {
  const perConversation = createRateLimiter(config.RATE_LIMITS, {
    attempts: REQUESTS_PER_MINUTE,
    seconds: 60,
    refuse: () => new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached'),
  });
  return createAiChat({
    api: { ...api, publishableKey: PUBLISHABLE_KEY },
    upstream: upstreamOf(config),
    siteOrigin: config.SITE_URL ?? null,
    takeTurn: (of, key) =>
      of === 'address'
        ? mayAsk(key)
        : perConversation.consume(key).then(
            () => true,
            () => false,
          ),
    log: (entry) => log.info({ function: 'ai-chat', ...entry }),
  });
}

function refuse(text: string, retryAfterSeconds: number): Response {
  return new Response(text, { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } });
}

/** The chat tells visitors in its own words. */
const noRoom = () => new ApiError(503, 'no_room', 'Too many large requests are under way');
