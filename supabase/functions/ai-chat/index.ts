/** The chat as a Supabase edge function. Deploy with `supabase functions deploy ai-chat`. See docs/chat.md. */
import { createAiChat } from './ai-chat.ts';
import { clientAddress, createRateLimit } from './client-address.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

const apiUrl = Deno.env.get('SUPABASE_URL') ?? '';
const baseUrl = Deno.env.get('AI_BASE_URL');
const model = Deno.env.get('AI_MODEL');

const consumeRateLimit = createRateLimit({ perAddress: 20, unknownAddresses: 200 });

const chat = createAiChat({
  api: {
    apiUrl,
    publishableKey: apiKey('SUPABASE_PUBLISHABLE_KEYS', 'SUPABASE_ANON_KEY'),
    secretKey: apiKey('SUPABASE_SECRET_KEYS', 'SUPABASE_SERVICE_ROLE_KEY'),
    fetch: (request) => fetch(request),
  },
  upstream:
    baseUrl && model
      ? { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: Deno.env.get('AI_API_KEY') ?? null, model }
      : null,
  siteOrigin: Deno.env.get('SITE_URL') ?? null,
  consumeRateLimit: (scope, key) => consumeRateLimit(`${scope} ${key}`),
  log: (entry) => console.log(JSON.stringify({ function: 'ai-chat', ...entry })),
});

Deno.serve((request) => chat.fetch(request, clientAddress(request.headers, apiUrl)));

/** Reads an API key. New Supabase projects provide a JSON object of keys, older projects a single key. */
function apiKey(keysVariable: string, legacy: string): string {
  const keys: Record<string, string> = JSON.parse(Deno.env.get(keysVariable) ?? '{}');
  return keys['default'] ?? Object.values(keys)[0] ?? Deno.env.get(legacy) ?? '';
}
