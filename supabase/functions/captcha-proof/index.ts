/**
 * Proofs of solved captchas as a Supabase edge function. Deploy with `supabase functions deploy captcha-proof`. See
 * docs/leads-and-bookings.md.
 */
import { clientAddress, createRateLimit } from '../ai-chat/client-address.ts';
import { CAPTCHA_URLS, type CaptchaProvider } from './ask-captcha.ts';
import { type CaptchaProofDependencies, handleCaptchaProof } from './captcha-proof.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

/** Reads the secret key. New Supabase projects provide a JSON object of keys, older projects a single key. */
function secretKey(): string {
  const keys: Record<string, string> = JSON.parse(Deno.env.get('SUPABASE_SECRET_KEYS') ?? '{}');
  return keys['default'] ?? Object.values(keys)[0] ?? Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '';
}

function captcha(): CaptchaProofDependencies['captcha'] {
  const provider = Deno.env.get('CAPTCHA_PROVIDER') ?? '';
  const secret = Deno.env.get('CAPTCHA_SECRET');
  if (!isProvider(provider) || !secret) return null;
  return { provider, secret, url: Deno.env.get('CAPTCHA_URL') ?? null };
}

function isProvider(name: string): name is CaptchaProvider {
  return Object.hasOwn(CAPTCHA_URLS, name);
}

const apiUrl = Deno.env.get('SUPABASE_URL') ?? '';

const consumeRateLimit = createRateLimit({ perAddress: 20, unknownAddresses: 200 });

const dependencies: CaptchaProofDependencies = {
  captcha: captcha(),
  apiUrl,
  secretKey: secretKey(),
  fetch: (inner) => fetch(inner),
  consumeRateLimit: (address) => consumeRateLimit(`address ${address}`),
  onTrouble: (error) => console.error('A captcha could not be checked', error),
};

Deno.serve((request) => handleCaptchaProof(request, dependencies, clientAddress(request.headers, apiUrl)));
