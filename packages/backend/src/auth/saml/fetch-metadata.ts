/**
 * Fetches metadata from a URL set by an owner. To prevent server-side request forgery, redirects are not followed and
 * private networks are rejected, even if a public name resolves to them.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPrivate, lookUpPublic, PrivateAddressError } from '../../http/public-address.ts';
import { authError } from '../error-codes.ts';

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5_000;

/**
 * Returns the text at that URL.
 * @param allowsPrivateNetworks true to allow private networks and plain HTTP
 * @throws ApiError 400 validation_failed or saml_metadata_fetch_failed
 */
export async function fetchMetadata(metadataUrl: string, allowsPrivateNetworks: boolean): Promise<string> {
  if (!URL.canParse(metadataUrl)) throw authError('validation_failed', 'metadata_url is not a valid URL');
  const url = new URL(metadataUrl);
  if (url.protocol !== 'https:' && !(allowsPrivateNetworks && url.protocol === 'http:')) {
    throw authError('validation_failed', 'metadata_url is not a HTTPS URL');
  }
  try {
    return await fetchText(url, allowsPrivateNetworks);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no response';
    throw authError('saml_metadata_fetch_failed', `${reason} fetching SAML Metadata from URL '${metadataUrl}'`);
  }
}

function fetchText(url: URL, allowsPrivateNetworks: boolean): Promise<string> {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowsPrivateNetworks && isIP(literal) && isPrivate(literal)) throw new PrivateAddressError('private address');
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        headers: { accept: 'application/samlmetadata+xml, application/xml', 'accept-charset': 'UTF-8' },
        lookup: allowsPrivateNetworks ? undefined : lookUpPublic,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        if (response.statusCode !== 200) return void outgoing.destroy(new Error(`HTTP ${response.statusCode} error`));
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > MAX_BYTES) outgoing.destroy(new Error('more than 1 MB'));
        });
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
        response.on('error', reject);
      },
    );
    outgoing.on('error', (error) => {
      if (error instanceof PrivateAddressError) reject(error);
      else reject(/^(HTTP|more)/.test(error.message) ? error : new Error('no response', { cause: error }));
    });
    outgoing.end();
  });
}
