import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip';

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|javascript|xml|manifest|rss|atom|[\w.+-]+\+(json|xml)))/;

/** Minimum size of a body to compress. Smaller bodies gain nothing from compression. */
const MIN_BYTES_TO_COMPRESS = 500;

const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => promisify(gzip)(body),
};

/**
 * Complete response that can be sent many times. Compressed lazily, once per encoding. Supports conditional requests
 * (304).
 */
export class StoredResponse {
  readonly status: number;
  readonly #headers: [name: string, value: string][];
  readonly body: Buffer;
  readonly #etag: string;
  readonly #compressible: boolean;
  readonly #encoded = new Map<Encoding, Variant>();
  readonly #plain: Variant;

  /** `encoded` contains the precompressed bodies, such as .br and .gz files of an asset. */
  constructor(
    status: number,
    headers: Record<string, string>,
    body: Buffer,
    encoded: Partial<Record<Encoding, Buffer>> = {},
  ) {
    this.status = status;
    this.body = body;
    this.#etag = createEtag(body);
    this.#compressible = COMPRESSIBLE.test(headers['content-type'] ?? '') && body.length >= MIN_BYTES_TO_COMPRESS;
    this.#headers = [
      ...Object.entries({ ...headers, etag: this.#etag }),
      ...(this.#compressible ? [['vary', 'accept-encoding'] satisfies [string, string]] : []),
    ];
    this.#plain = this.#variant(body);
    for (const encoding of ['br', 'gzip'] as const) {
      const precompressed = encoded[encoding];
      if (precompressed) this.#encoded.set(encoding, this.#variant(precompressed, encoding));
    }
  }

  /** Size in memory in bytes. */
  get size(): number {
    return this.body.length + [...this.#encoded.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  /** Sends the response to a GET or HEAD request. */
  send(request: IncomingMessage, response: ServerResponse): void {
    if (this.status === 200 && request.headers['if-none-match']?.includes(this.#etag)) {
      response.writeHead(304, this.#headers.flat()).end();
      return;
    }
    const encoding = this.#compressible ? acceptedEncoding(request.headers['accept-encoding']) : null;
    const cachedVariant = encoding === null ? this.#plain : this.#encoded.get(encoding);
    if (cachedVariant || encoding === null) {
      write(request, response, this.status, cachedVariant ?? this.#plain);
      return;
    }
    this.#encode(encoding).then(
      (variant) => write(request, response, this.status, variant),
      () => write(request, response, this.status, this.#plain),
    );
  }

  async #encode(encoding: Encoding): Promise<Variant> {
    const variant = this.#variant(await compress[encoding](this.body), encoding);
    this.#encoded.set(encoding, variant);
    return variant;
  }

  #variant(body: Buffer, encoding?: Encoding): Variant {
    const headers = [...this.#headers.flat(), 'content-length', String(body.length)];
    return { body, headers: encoding ? [...headers, 'content-encoding', encoding] : headers };
  }
}

/** Returns a weak ETag, because the body is sent in several encodings. */
function createEtag(body: Buffer): string {
  return `W/"${hash('sha1', body, 'base64url').slice(0, 16)}"`;
}

/** Body with headers as a flat list of names and values, the fastest form for Node. */
interface Variant {
  body: Buffer;
  headers: string[];
}

function write(request: IncomingMessage, response: ServerResponse, status: number, { body, headers }: Variant): void {
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const acceptHeader = String(header ?? '');
  if (isAccepted(acceptHeader, 'br')) return 'br';
  return isAccepted(acceptHeader, 'gzip') ? 'gzip' : null;
}

function isAccepted(header: string, encoding: Encoding): boolean {
  const index = header.indexOf(encoding);
  return index >= 0 && !/^\s*;\s*q=0(\.0*)?\s*(,|$)/.test(header.slice(index + encoding.length));
}
