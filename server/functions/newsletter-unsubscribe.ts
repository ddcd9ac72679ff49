/**
 * /functions/v1/newsletter-unsubscribe?token=..., the URL in the List-Unsubscribe header (RFC 8058). POST, which mail
 * clients send, unsubscribes immediately. GET only redirects to a confirmation page, because link scanners also send
 * GET requests.
 */
import type { BackendContext } from '@signalfjord/backend';

export async function unsubscribeFromNewsletter(
  { config, database }: BackendContext,
  request: Request,
  secondsToWait: () => number,
): Promise<Response> {
  const url = new URL(request.url);
  const token = url.searchParams.get('token') ?? '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    const page = new URL('/newsletter/unsubscribe', config.SITE_URL ?? url.origin);
    page.searchParams.set('token', token);
    return new Response(null, { status: 303, headers: { location: page.href } });
  }
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  const wait = secondsToWait();
  if (wait > 0) {
    const headers = { 'retry-after': String(wait) };
    return new Response('Too many requests. Please try again in a minute.', { status: 429, headers });
  }
  // Postgres text cannot contain NUL.
  if (!token.includes('\0')) await database.query('select public.unsubscribe_from_newsletter($1)', [token]);
  return new Response('You have been unsubscribed from our newsletter.', {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
