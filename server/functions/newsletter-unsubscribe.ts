/**
 * /functions/v1/newsletter-unsubscribe?token=..., the address in the List-Unsubscribe header of our mails (RFC 8058). A
 * POST unsubscribes at once, as mail programs do it. A GET, which programs that look at links send too, only leads to the
 * page that asks.
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
  // No text of the database can hold a NUL.
  if (!token.includes('\0')) await database.query('select public.unsubscribe_from_newsletter($1)', [token]);
  return new Response('You have been unsubscribed from our newsletter.', {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
