/** The chat as a Supabase edge function. Deploy with `supabase functions deploy ai-chat`; see docs/chat.md. */
import { createAiChat } from './ai-chat.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

const REQUESTS_PER_MINUTE = 20;

const baseUrl = Deno.env.get('AI_BASE_URL');
const model = Deno.env.get('AI_MODEL');

const chat = createAiChat({
  api: {
    apiUrl: Deno.env.get('SUPABASE_URL') ?? '',
    publishableKey: apiKey('SUPABASE_PUBLISHABLE_KEYS', 'SUPABASE_ANON_KEY'),
    secretKey: apiKey('SUPABASE_SECRET_KEYS', 'SUPABASE_SERVICE_ROLE_KEY'),
    fetch: (request) => fetch(request),
  },
  upstream:
    baseUrl && model
      ? { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: Deno.env.get('AI_API_KEY') ?? null, model }
      : null,
  siteOrigin: Deno.env.get('SITE_URL') ?? null,
  takeTurn: createMinuteLimit(REQUESTS_PER_MINUTE),
  log: (entry) => console.log(JSON.stringify({ function: 'ai-chat', ...entry })),
});

Deno.serve((request) => chat.fetch(request, request.headers.get('x-forwarded-for')?.split(',')[0]?.trim() ?? ''));

/** New projects have dictionaries of keys, older ones a single key. */
function apiKey(dictionary: string, legacy: string): string {
  const keys: Record<string, string> = JSON.parse(Deno.env.get(dictionary) ?? '{}');
  return keys['default'] ?? Object.values(keys)[0] ?? Deno.env.get(legacy) ?? '';
}

/** Counts in this isolate only: a hosted project may run several, so the daily cap in the database is the hard limit. */
function createMinuteLimit(allowed: number): (key: string) => boolean {
  let minute = 0;
  let counts = new Map<string, number>();
  return (key) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) {
      minute = now;
      counts = new Map();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= allowed;
  };
}
