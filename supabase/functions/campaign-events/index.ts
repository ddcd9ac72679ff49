/**
 * Events of campaigns as a Supabase edge function. Deploy with `supabase functions deploy campaign-events`. See
 * docs/clients-and-team.md.
 */
import { createCampaignEvents } from './campaign-events.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

/** Reads the secret key. New Supabase projects provide a JSON object of keys, older projects a single key. */
function secretKey(): string {
  const keys: Record<string, string> = JSON.parse(Deno.env.get('SUPABASE_SECRET_KEYS') ?? '{}');
  return keys['default'] ?? Object.values(keys)[0] ?? Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '';
}

const events = createCampaignEvents({
  apiUrl: Deno.env.get('SUPABASE_URL') ?? '',
  secretKey: secretKey(),
  fetch: (inner) => fetch(inner),
  // The platform limits requests.
  countWrongSecret: () => 0,
  takeTurn: (_address, work) => work(),
});

Deno.serve((request) => events.fetch(request, ''));
