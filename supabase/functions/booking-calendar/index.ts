/**
 * The calendar file as a Supabase edge function. Deploy with `supabase functions deploy booking-calendar`. See
 * docs/leads-and-bookings.md.
 */
import { handleBookingCalendar } from './booking-calendar.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

/** Reads the secret key. New Supabase projects provide a JSON object of keys, older projects a single key. */
function secretKey(): string {
  const keys: Record<string, string> = JSON.parse(Deno.env.get('SUPABASE_SECRET_KEYS') ?? '{}');
  return keys['default'] ?? Object.values(keys)[0] ?? Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '';
}

Deno.serve((request) =>
  handleBookingCalendar(request, {
    apiUrl: Deno.env.get('SUPABASE_URL') ?? '',
    secretKey: secretKey(),
    fetch: (inner) => fetch(inner),
    defaultSiteName: 'Signalfjord',
  }),
);
