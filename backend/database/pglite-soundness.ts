/**
 * Tells from its messages whether Postgres came through an exchange unharmed. PGlite swallows what WebAssembly throws,
 * such as a stack overflow in a regular expression; Postgres then goes on as if nothing had happened, with what it was
 * holding left behind, and sooner or later never answers. The messages:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** The warnings of Postgres when a transaction ends while something of it is still held. */
const LEFT_BEHIND = /was not closed|still active|still referenced/;

const MESSAGE_TYPE = { execute: 0x45, query: 0x51, done: 0x43, error: 0x45, notice: 0x4e, ready: 0x5a };

/** True when every statement of the request was run to its end or to an error, and nothing was left behind. */
export function isSound(request: Uint8Array, answer: Uint8Array): boolean {
  let expected = 0;
  let isScript = false;
  for (const { type } of messagesOf(request)) {
    if (type === MESSAGE_TYPE.execute) expected++;
    if (type === MESSAGE_TYPE.query) isScript = true;
  }
  let done = 0;
  let hasFailed = false;
  let isReady = false;
  for (const { type, body } of messagesOf(answer)) {
    isReady = type === MESSAGE_TYPE.ready;
    if (type === MESSAGE_TYPE.done) done++;
    if (type === MESSAGE_TYPE.error) hasFailed = true;
    if (type === MESSAGE_TYPE.notice && LEFT_BEHIND.test(Buffer.from(body).toString('latin1'))) return false;
  }
  return isReady && (isScript || hasFailed || done === expected);
}

function* messagesOf(bytes: Uint8Array): Generator<{ type: number | undefined; body: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset + 5 <= bytes.length; ) {
    const next = offset + 1 + view.getInt32(offset + 1);
    yield { type: bytes[offset], body: bytes.subarray(offset + 5, next) };
    offset = next;
  }
}
