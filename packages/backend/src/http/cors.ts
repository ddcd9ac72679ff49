/** CORS as on hosted Supabase: any origin is allowed, because access is decided by keys and policies. */
import type { MiddlewareHandler } from 'hono';

const EXPOSED_HEADERS =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, Preference-Applied, X-Request-Id, X-Sb-Error-Code, X-Supabase-Api-Version, X-Total-Count, Link, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Expires, X-Error-Details';

/** Responds to preflight requests, and lets scripts of any origin read responses. */
export const cors: MiddlewareHandler = async (context, next) => {
  if (context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') !== undefined) {
    return new Response(null, {
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
        'access-control-allow-headers': context.req.header('access-control-request-headers') ?? '*',
        'access-control-max-age': '86400',
        vary: 'Access-Control-Request-Headers',
      },
    });
  }
  await next();
  context.res.headers.set('access-control-allow-origin', '*');
  context.res.headers.set('access-control-expose-headers', EXPOSED_HEADERS);
};
