/**
 * Makes the answers of the auth service independent of the clock of the device and of passing load. The client compares
 * `expires_at`, a time of the server, with its own clock: with a clock that is an hour ahead it would refresh the session before
 * each request. Without `expires_at` it adds `expires_in` to its own time.
 */

/** fetch() for the auth service. */
export async function fetchAuth(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const url = input instanceof Request ? input.url : String(input);
  // The client ends the session on any 4xx. 503 makes it try again.
  if (response.status === 429 && url.includes('grant_type=refresh_token')) return withStatus(response, 503);
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const body: unknown = await response.clone().json();
  if (typeof body !== 'object' || body === null || !('expires_at' in body) || !('expires_in' in body)) return response;
  const { expires_at: _ofServer, ...session } = body;
  return Response.json(session, { status: response.status, headers: contentHeaders(response) });
}

function withStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: contentHeaders(response) });
}

/** Headers without those that describe the bytes on the wire. */
function contentHeaders(response: Response): Headers {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return headers;
}
