import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Reads the body of a request to a fake server. Undefined if the client closed the connection before the end, as a
 * stopped process does.
 */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return buffer(request).catch(() => undefined);
}
