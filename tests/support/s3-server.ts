/**
 * An S3-compatible server on loopback that keeps objects in memory. It verifies AWS Signature Version 4, and rejects
 * requests with a wrong signature or payload hash.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { readBody } from './read-body.ts';

export interface S3Server {
  url: string;
  /** Objects by path, as /bucket/key. */
  objects: Map<string, Buffer>;
  /** Requests as `METHOD /path`, in order. */
  requests: string[];
  /** The only bucket, or undefined to accept any bucket. */
  bucket: string | undefined;
  /** Status with which the next request fails. Undefined to let it succeed. */
  failNext: number | undefined;
  /** True to close the connection in the middle of the next object. */
  breakNext: boolean;
  close(): Promise<void>;
}

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export async function startS3Server(credentials: Credentials): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const state: S3Server = {
    url: '',
    objects,
    requests,
    bucket: undefined,
    failNext: undefined,
    breakNext: false,
    close: async () => undefined,
  };

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname);
    const body = await readBody(request);
    if (!body) return;
    const respond = (status: number, bytes: Buffer | string = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(bytes);
    requests.push(`${request.method} ${path}`);
    const fault = findFault(request, body, credentials);
    if (fault) return respond(403, `<Error><Code>SignatureDoesNotMatch</Code><Message>${fault}</Message></Error>`);
    if (state.failNext !== undefined) {
      const status = state.failNext;
      state.failNext = undefined;
      return respond(status, '<Error><Code>InternalError</Code></Error>');
    }
    if (state.bucket && !path.startsWith(`/${state.bucket}/`)) {
      return respond(404, '<Error><Code>NoSuchBucket</Code></Error>');
    }
    const source = request.headers['x-amz-copy-source'];
    const sourceObject = objects.get(typeof source === 'string' ? decodeURIComponent(source) : path);
    if (request.method === 'PUT' && source === undefined) {
      if (request.headers['content-length'] === undefined) return respond(411);
      objects.set(path, body);
      return respond(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      return respond(204);
    }
    const query = new URL(request.url ?? '', 'http://host').searchParams;
    if (query.get('list-type') === '2') return respond(200, listObjects(objects, path, query));
    if (!sourceObject) return respond(404, '<Error><Code>NoSuchKey</Code></Error>');
    if (request.method === 'PUT') {
      objects.set(path, sourceObject);
      return respond(200, '<CopyObjectResult/>');
    }
    if (state.breakNext) {
      state.breakNext = false;
      response.writeHead(200, { 'content-length': sourceObject.length });
      return response.write(sourceObject.subarray(0, sourceObject.length / 2), () => response.destroy());
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined || last === undefined) return respond(200, sourceObject);
    return respond(206, sourceObject.subarray(Number(first), Number(last) + 1));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The S3 server has no port');
  state.url = `http://127.0.0.1:${address.port}`;
  state.close = () => new Promise((closed) => server.close(() => closed()));
  return state;
}

/** Returns two keys per page, so that clients must request further pages. */
function listObjects(objects: ReadonlyMap<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const keys = [...objects.keys()]
    .map((path) => path.slice(bucket.length))
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('start-after') ?? ''))
    .sort();
  const page = keys.slice(0, 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  return `<ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${page.join('')}</ListBucketResult>`;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest();

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html */
function findFault(request: IncomingMessage, body: Buffer, credentials: Credentials): string | undefined {
  const header = (name: string) => String(request.headers[name] ?? '').trim();
  const [, keyId, scope = '', signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      header('authorization'),
    ) ?? [];
  const [day = '', region = '', service = ''] = scope.split('/');
  if (keyId !== credentials.accessKeyId || region !== credentials.region || service !== 's3') return 'wrong scope';
  const payloadHash = header('x-amz-content-sha256');
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(body)) return 'wrong payload hash';
  for (const required of ['host', 'x-amz-date', 'x-amz-content-sha256']) {
    if (!signedHeaders.split(';').includes(required)) return `${required} is not signed`;
  }
  const url = new URL(request.url ?? '', 'http://host');
  const canonicalRequest = [
    request.method,
    url.pathname,
    url.search.slice(1),
    ...signedHeaders.split(';').map((name) => `${name}:${header(name)}`),
    '',
    signedHeaders,
    payloadHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonicalRequest)].join('\n');
  const dayKey = hmac(`AWS4${credentials.secretAccessKey}`, day);
  const key = hmac(hmac(hmac(dayKey, region), service), 'aws4_request');
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'wrong signature';
}
