/**
 * Summaries of reports as a Supabase edge function. Deploy with `supabase functions deploy report-summary`. See
 * docs/clients-and-team.md.
 */
import { clientAddress, createRateLimit } from '../ai-chat/client-address.ts';
import { handleReportSummary } from './report-summary.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): void;
};

const apiUrl = Deno.env.get('SUPABASE_URL') ?? '';
const baseUrl = Deno.env.get('AI_BASE_URL');
const model = Deno.env.get('AI_MODEL');

const dependencies = {
  apiUrl,
  fetch: (inner: Request) => fetch(inner),
  upstream:
    baseUrl && model
      ? { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: Deno.env.get('AI_API_KEY') ?? null, model }
      : null,
  consumeRateLimit: createRateLimit({ perAddress: 20, unknownAddresses: 200 }),
};

Deno.serve((request) => handleReportSummary(request, dependencies, clientAddress(request.headers, apiUrl)));
