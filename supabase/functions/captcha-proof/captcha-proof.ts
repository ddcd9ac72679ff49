/**
 * POST /functions/v1/captcha-proof {"token": …}: exchanges a captcha token for a proof. When the site is near its rate
 * limit, visitors send the proof in x-captcha-proof with a message or booking. Each token and each proof can be used
 * once.
 */
import { z } from 'zod';
import { readText } from '../read-text.ts';
import { askCaptcha, CAPTCHA_URLS, type CaptchaProvider } from './ask-captcha.ts';

export interface CaptchaProofDependencies {
  /** Null if no captcha is configured. `url` overrides the provider's verification endpoint. */
  captcha: { provider: CaptchaProvider; secret: string; url: string | null } | null;
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  secretKey: string;
  /** Sends requests to apiUrl: over the network, or to the backend in the same process. */
  fetch: (request: Request) => Response | Promise<Response>;
  /** Counts a request of an IP address. Returns false if the rate limit is reached. */
  consumeRateLimit: (address: string) => boolean;
  /** Called when the captcha provider cannot be reached. */
  onTrouble: (error: unknown) => void;
}

const MAX_BYTES = 32 * 1024;

const bodySchema = z.object({ token: z.string().trim().min(1).max(20_000) });

/** Any origin is allowed, because each proof requires a solved captcha. */
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
  'access-control-max-age': '600',
};

/** @param address IP address of the caller, '' if unknown */
export async function handleCaptchaProof(
  request: Request,
  dependencies: CaptchaProofDependencies,
  address: string,
): Promise<Response> {
  const response = await answer(request, dependencies, address);
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value);
  return response;
}

async function answer(request: Request, dependencies: CaptchaProofDependencies, address: string): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  if (request.method !== 'POST') return refusal(405, 'Use POST.', { allow: 'POST, OPTIONS' });
  const { captcha } = dependencies;
  if (captcha === null) return refusal(404, 'No captcha is configured.');
  const token = await readToken(request);
  if (token === null) return refusal(400, 'Send the token of a captcha as JSON.');
  if (!dependencies.consumeRateLimit(address))
    return refusal(429, 'Too many requests. Try again in a minute.', RETRY_LATER);
  const { provider, secret, url } = captcha;
  const errorCodes = await askCaptcha({ url: url ?? CAPTCHA_URLS[provider], secret, token, address }).catch(
    (error: unknown) => {
      dependencies.onTrouble(error);
      return undefined;
    },
  );
  if (errorCodes === undefined) return refusal(503, 'The captcha cannot be checked right now.', RETRY_LATER);
  if (errorCodes !== null) return refusal(400, `The captcha was not accepted (${errorCodes}).`);
  return makeProof(dependencies);
}

const RETRY_LATER = { 'retry-after': '60' };

async function makeProof({ apiUrl, secretKey, fetch }: CaptchaProofDependencies): Promise<Response> {
  const response = await fetch(
    new Request(`${apiUrl}/rest/v1/rpc/make_captcha_proof`, {
      method: 'POST',
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: '{}',
    }),
  );
  if (response.ok) return Response.json({ proof: await response.json() }, { headers: { 'cache-control': 'no-store' } });
  await response.body?.cancel();
  if (response.status === 503) return refusal(503, 'The captcha cannot be checked right now.', { 'retry-after': '1' });
  throw new Error(`The table API returned ${response.status} for make_captcha_proof`);
}

/** Returns the token, or null if the body is too long or has no token. */
async function readToken(request: Request): Promise<string | null> {
  const body = await readText(request, MAX_BYTES);
  try {
    return bodySchema.parse(JSON.parse(body?.text ?? '')).token;
  } catch {
    return null;
  }
}

function refusal(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}
