/** Answers kept, most of them a few kilobytes. */
const MAX_READS = 1000;

interface Kept {
  storedAt: number;
  answer: Promise<{ status: number; headers: Headers; body: ArrayBuffer }>;
}

/**
 * What rendering has read, until content changes: pages share most of what they show, so a page that is not kept still
 * costs no query. Only for reads as a visitor, which rendering never leaves.
 */
export class ReadMemo {
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  readonly #maxAge: number;
  #reads = new Map<string, Kept>();

  /** @param maxAge milliseconds after which an answer is read again even when nobody said that content changed */
  constructor(fetch: (request: Request) => Response | Promise<Response>, maxAge: number) {
    this.#fetch = fetch;
    this.#maxAge = maxAge;
  }

  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'GET') return this.#fetch(request);
    const reads = this.#reads;
    const key = `${request.headers.get('accept')} ${request.url}`;
    let kept = reads.get(key);
    if (!kept || Date.now() - kept.storedAt > this.#maxAge) {
      kept = { storedAt: Date.now(), answer: this.#read(request) };
      reads.set(key, kept);
      if (reads.size > MAX_READS) reads.delete(reads.keys().next().value ?? '');
    }
    try {
      const { status, headers, body } = await kept.answer;
      if (status !== 200) reads.delete(key);
      return new Response(body, { status, headers });
    } catch (error) {
      reads.delete(key);
      throw error;
    }
  }

  /** Forgets everything. A read that began before is answered, but given to nobody who asks after. */
  drop(): void {
    this.#reads = new Map();
  }

  async #read(request: Request): Kept['answer'] {
    // Sharing one reading among renders, it must not end with the one that began it.
    const response = await this.#fetch(new Request(request.url, { headers: request.headers }));
    return { status: response.status, headers: response.headers, body: await response.arrayBuffer() };
  }
}
