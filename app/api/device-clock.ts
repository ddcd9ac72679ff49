/**
 * Removes `expires_at` from responses of the auth service, because the clock of the device may be wrong. The client
 * compares `expires_at`, a server time, with the device clock. A clock that is one hour fast would cause a refresh
 * before every request. Without `expires_at`, the client adds `expires_in` to the device time.
 */

/** fetch() for the auth service. */
export async function fetchAuth(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const url = input instanceof Request ? input.url : String(input);
  // The client ends the session after a 4xx response, but retries after a 503.
  if (response.status === 429 && url.includes('grant_type=refresh_token')) return setStatus(response, 503);
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const body: unknown = await response.clone().json();
  if (typeof body !== 'object' || body === null || !('expires_at' in body) || !('expires_in' in body)) return response;
  const { expires_at: _serverTime, ...session } = body;
  return Response.json(session, { status: response.status, headers: contentHeaders(response) });
}

function setStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: contentHeaders(response) });
}

/** Removes headers that describe the transfer encoding. */
function contentHeaders(response: Response): Headers {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return headers;
}
